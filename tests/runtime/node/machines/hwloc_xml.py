"""Writes hwloc's XML for a machine that is known by its NUMA nodes, cores and PCI devices."""

from xml.sax.saxutils import quoteattr


def mask(numbers):
    """hwloc's text for a set: 32-bit words, the highest first."""
    value = 0
    for number in numbers:
        value |= 1 << number
    words = []
    while True:
        words.append("0x%08x" % (value & 0xFFFFFFFF))
        value >>= 32
        if value == 0:
            return ",".join(reversed(words))


class Writer:
    def __init__(self):
        self.lines = []
        self.depth = 0
        self.index = 0

    def open(self, object_type, cpus=None, nodes=None, **attributes):
        self.index += 1
        text = f"<object type={quoteattr(object_type)}"
        if cpus is not None:
            for name in ("cpuset", "complete_cpuset"):
                text += f' {name}="{mask(cpus)}"'
            for name in ("nodeset", "complete_nodeset"):
                text += f' {name}="{mask(nodes)}"'
        attributes["gp_index"] = self.index
        for name, value in attributes.items():
            text += f" {name}={quoteattr(str(value))}"
        self.put(text + ">")
        self.depth += 1

    def close(self):
        self.depth -= 1
        self.put("</object>")

    def put(self, line):
        self.lines.append("  " * (self.depth + 1) + line)


def pci_devices(out, devices):
    """(address, "class [vendor:device]") each; one host bridge a PCI root, as the bus number says."""
    for address, kind in devices:
        domain, bus, _ = address.split(":")
        out.open("Bridge", bridge_type="0-1", depth=0, bridge_pci=f"{domain}:[{bus}-{bus}]")
        out.open("PCIDev", pci_busid=address, pci_type=kind, pci_link_speed="0.000000")
        out.close()
        out.close()


def topology_xml(machine):
    """`machine` is a write_machines.Machine."""
    nodes = machine.nodes
    cpus = sorted(cpu for node in nodes for cpu in node.cpus)
    ids = [node.id for node in nodes]
    out = Writer()
    out.open("Machine", cpus, ids, os_index=0, allowed_cpuset=mask(cpus), allowed_nodeset=mask(ids))
    for package in sorted({node.package for node in nodes}):
        members = [node for node in nodes if node.package == package]
        own = sorted(cpu for node in members for cpu in node.cpus)
        out.open("Package", own, [node.id for node in members], os_index=package)
        with_cpus = [node for node in members if node.cpus]
        for node in with_cpus:
            # hwloc shows a memory-only node beside the node it is nearest to, with that one's CPUs.
            attached = [node] + [each for each in members if each.near == node.id]
            attached_ids = [each.id for each in attached]
            grouped = len(with_cpus) > 1
            if grouped:
                out.open("Group", node.cpus, attached_ids, kind=1001, subkind=0)
            for each in attached:
                memory = {"local_memory": each.memory} if each.memory else {}
                out.open("NUMANode", node.cpus, [each.id], os_index=each.id, **memory)
                out.close()
            for complex_cores in machine.complexes(node):
                inside = sorted(cpu for core in complex_cores for cpu in core)
                if machine.cores_per_l3:
                    out.open("L3Cache", inside, attached_ids, cache_size=33554432, depth=3,
                             cache_linesize=64, cache_associativity=16, cache_type=0)
                for core in complex_cores:
                    out.open("Core", core, attached_ids, os_index=core[0])
                    for cpu in core:
                        out.open("PU", [cpu], attached_ids, os_index=cpu)
                        out.close()
                    out.close()
                if machine.cores_per_l3:
                    out.close()
            pci_devices(out, [(a, machine.kind) for a, home in machine.devices if home == node.id])
            if grouped:
                out.close()
        out.close()
    pci_devices(out, [(a, machine.kind) for a, home in machine.devices if home is None])
    out.close()
    text = ['<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE topology SYSTEM "hwloc2.dtd">',
            '<topology version="2.0">', *out.lines]
    if machine.distances:
        # hwloc counts the characters, the blank after each number included.
        indexes = "".join(f"{i} " for i in ids)
        values = "".join(f"{v} " for row in machine.distances for v in row)
        text += [f'  <distances2 type="NUMANode" nbobjs="{len(ids)}" kind="5" name="NUMALatency"'
                 ' indexing="os">',
                 f'    <indexes length="{len(indexes)}">{indexes}</indexes>',
                 f'    <u64values length="{len(values)}">{values}</u64values>',
                 "  </distances2>"]
    return "\n".join(text + ["</topology>", ""])
