"""``import hyperacc.auto`` switches HyperAcc on as the HA_* variables say.

The import belongs at the top of the training script, before torch, the frameworks and the model;
only ``from __future__`` may precede it. Where no variable asks for anything it does nothing. It
never raises: a job runs without HyperAcc rather than not at all.
"""

from .startup import activate

activate()
