"""The start-up block of the log, from the document that the library answers."""

import os
import textwrap

_WIDTH = 88  # with the prefix below 100 columns


def _paragraph(label, text):
    return textwrap.wrap(
        label + text, _WIDTH, subsequent_indent=" " * len(label), break_on_hyphens=False
    )


def _sources(document):
    """What put the features on: "--hyperacc: HA_USE_ALL=1; environment: verify=3"."""
    said = {}
    for feature in document["features"]:
        if feature["origin"] and feature["state"] != "off":
            said.setdefault(feature["source_text"], []).append(feature["origin"])
    for name, modifier in document["modifiers"].items():
        if modifier["source"] != "builtin":
            value = modifier["value"]
            word = name if value is True else f"{name}={value}"
            said.setdefault(modifier["source_text"], []).append(word)
    parts = (f"{source}: {', '.join(dict.fromkeys(words))}" for source, words in said.items())
    return "; ".join(parts)


def _feature(feature):
    words = [word for word in (feature["mode"], feature["memory"]) if word]
    mode = f" ({'+'.join(words)})" if words else ""
    text = f": {feature['text']}" if feature["text"] else ""
    return _paragraph(f"  {feature['name']:<12} ", feature["state"] + mode + text)


def lines(document):
    """The block without prefixes: platform and evidence, what is on or skipped, what is off."""
    head = f"{document['version']} on {os.uname().nodename}"
    if all(feature["state"] == "off" for feature in document["features"]):
        return [head + ": every feature is off"]
    platform = document["platform"]
    evidence = "; ".join(platform["evidence"])
    if platform["from"] != "detected":
        evidence = f"said by {platform['from']}"
    block = _paragraph("", f"{head}, platform {platform['name']}")
    if evidence:
        block += _paragraph("  evidence     ", evidence)
    off = []
    for feature in document["features"]:
        if feature["state"] == "off":
            off.append(feature["name"])
        else:
            block += _feature(feature)
    if off:
        block += _paragraph("  off          ", ", ".join(off))
    sources = _sources(document)
    if sources:
        block += _paragraph("  set by       ", sources)
    return block
