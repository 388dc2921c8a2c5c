import copy
import os

import pytest
from hyperacc import block


def feature(name, state, origin="", source="builtin", text="", mode=None, memory=None):
    return {
        "name": name,
        "state": state,
        "origin": origin,
        "source": source,
        "source_text": {"builtin": "built-in default", "option": "--hyperacc"}.get(source, source),
        "text": text,
        "mode": mode,
        "memory": memory,
    }


def modifier(value, source="builtin"):
    return {"value": value, "source": source, "source_text": source}


DOCUMENT = {
    "version": "1.2.3",
    "platform": {"name": "nvidia", "from": "detected", "evidence": ["driver 550", "2 GPUs"]},
    "features": [
        feature("voxel", "off"),
        feature("syncbn", "on", "HA_USE_ALL=1", "option"),
        feature("rope", "skipped", "HA_USE_ALL=1", "option", "made for dcu, this is nvidia"),
        feature("dropout", "off", "HA_USE_DROPOUT=0", "environment"),
        feature("numabind", "on", "HA_USE_ALL=1", "option", "", "exclusive", "bind"),
    ],
    "modifiers": {
        "auto": modifier(True, "environment"),
        "verify": modifier(3, "environment"),
        "report": modifier(False),
    },
    "warnings": [],
}


def test_lines():
    assert block.lines(DOCUMENT) == [
        f"1.2.3 on {os.uname().nodename}, platform nvidia",
        "  evidence     driver 550; 2 GPUs",
        "  syncbn       on",
        "  rope         skipped: made for dcu, this is nvidia",
        "  numabind     on (exclusive+bind)",
        "  off          voxel, dropout",
        "  set by       --hyperacc: HA_USE_ALL=1; environment: auto, verify=3",
    ]


def test_everything_off_is_one_line():
    document = copy.deepcopy(DOCUMENT)
    document["features"] = [feature("rope", "off", "HA_USE_ROPE=0", "option")]
    assert block.lines(document) == [f"1.2.3 on {os.uname().nodename}: every feature is off"]


def test_a_platform_that_was_said_needs_no_evidence():
    document = copy.deepcopy(DOCUMENT)
    document["platform"] = {"name": "cpu", "from": "HA_PLATFORM", "evidence": []}
    assert block.lines(document)[1] == "  evidence     said by HA_PLATFORM"


@pytest.mark.parametrize("words", [3, 60])
def test_no_line_is_wider_than_the_page(words):
    document = copy.deepcopy(DOCUMENT)
    document["features"][2]["text"] = "because " * words
    document["platform"]["evidence"] = ["a long reason"] * words
    lines = block.lines(document)
    assert max(map(len, lines)) + len("hyperacc: ") <= 100
    assert " ".join(" ".join(lines).split()).count("because") == words
