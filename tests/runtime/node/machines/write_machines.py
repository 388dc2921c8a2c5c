#!/usr/bin/env python3
"""Writes the machines that test placement, from what is public about them (tests/machines/README.md).

    tests/runtime/node/machines/write_machines.py [NAME …]

Of a machine whose folder has its own sys/ only topology.xml is made, from that and the table below;
of the others everything but placement/, which says what must come out.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from hwloc_xml import topology_xml

MACHINES = Path(__file__).resolve().parents[3] / "machines"
GIB = 1 << 30


def span(first, count, step=1):
    return list(range(first, first + count * step, step))


def list_text(numbers):
    """The kernel's list format."""
    parts = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def parse_list(text):
    numbers = []
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


@dataclass
class Node:
    id: int
    cpus: list
    memory: int = 0
    package: int = 0
    near: int = None  # of a memory-only node: the node with CPUs that it belongs to


@dataclass
class Machine:
    nodes: list
    smt_offset: int = 0  # CPU c and CPU c + smt_offset are one core; 0: no SMT
    cores_per_l3: int = 0
    devices: list = field(default_factory=list)  # (PCI address, NUMA node or None)
    kind: str = "0302 [10de:20b2] [10de:1463] a1"
    distances: list = None
    model: str = ""  # NVIDIA's name; empty: the folder has its own sys/

    def complexes(self, node):
        """Lists of cores, each a list of threads."""
        members = set(node.cpus)
        cores = []
        for cpu in sorted(node.cpus):
            if self.smt_offset and cpu - self.smt_offset in members:
                continue
            pair = cpu + self.smt_offset
            cores.append([cpu, pair] if self.smt_offset and pair in members else [cpu])
        if not self.cores_per_l3:
            return [cores]
        # By number, so that an offline core leaves a gap and moves nothing.
        first = min(core[0] for core in cores)
        groups = {}
        for core in cores:
            groups.setdefault((core[0] - first) // self.cores_per_l3, []).append(core)
        return list(groups.values())


def grid(count, local, near, far, size):
    """`count` nodes in packages of `size`."""
    return [[local if i == j else near if i // size == j // size else far for j in range(count)]
            for i in range(count)]


def even_nodes(count, cores, smt_offset, memory, per_package, skip=()):
    nodes = []
    for i in range(count):
        cpus = span(i * cores, cores)
        if smt_offset:
            cpus += span(i * cores + smt_offset, cores)
        nodes.append(Node(i, [c for c in cpus if c not in skip], memory, i // per_package))
    return nodes


def nvidia_nps4():
    gpus = ["07", "0b", "48", "4c", "88", "8b", "c8", "cb"]
    homes = [3, 3, 1, 1, 7, 7, 5, 5]
    return Machine(even_nodes(8, 16, 128, 128 * GIB, 4), smt_offset=128, cores_per_l3=4,
                   devices=[(f"0000:{bus}:00.0", node) for bus, node in zip(gpus, homes)],
                   distances=grid(8, 10, 12, 32, 4), model="NVIDIA A100-SXM4-80GB")


def nvidia_grace():
    nodes = [Node(0, span(0, 72), 480 * GIB, 0), Node(1, span(72, 72), 480 * GIB, 1)]
    # Each GPU brings one node with its memory; the seven after it are for MIG and have none.
    for gpu, start in enumerate((2, 10, 18, 26)):
        nodes.append(Node(start, [], 184 * GIB, gpu // 2, near=gpu // 2))
    order = {0: 0, 1: 1, 2: 0, 10: 0, 18: 1, 26: 1}
    distances = [[10 if a == b else 40 if order[a] != order[b] else 80 for b in order] for a in order]
    return Machine(nodes, devices=[("0008:01:00.0", 0), ("0009:01:00.0", 0),
                                   ("0018:01:00.0", 1), ("0019:01:00.0", 1)],
                   kind="0302 [10de:2941] [10de:2046] a1", distances=distances,
                   model="NVIDIA GB200")


def cxl_memory():
    nodes = even_nodes(2, 32, 64, 256 * GIB, 1) + [Node(2, [], 128 * GIB, 0, near=0)]
    return Machine(nodes, smt_offset=64, cores_per_l3=32,
                   distances=[[10, 21, 14], [21, 10, 24], [14, 24, 10]],
                   devices=[("0000:17:00.0", 0), ("0000:98:00.0", 1)], model="NVIDIA L40S",
                   kind="0302 [10de:26b9] [10de:1851] a1")


def nvidia_no_node():
    return Machine(even_nodes(2, 32, 64, 256 * GIB, 1), smt_offset=64, cores_per_l3=32,
                   distances=grid(2, 10, 21, 21, 1), model="NVIDIA H100 80GB HBM3",
                   devices=[(f"0000:{bus}:00.0", None) for bus in ("04", "05", "06", "07")],
                   kind="0302 [10de:2330] [10de:16c1] a1")


def cpu_offline():
    # Node 0 is offline with all its CPUs, so are CPUs 20-23 and the second thread of core 24.
    nodes = even_nodes(4, 16, 64, 64 * GIB, 1, skip={20, 21, 22, 23, 84, 85, 86, 87, 88})[1:]
    return Machine(nodes, smt_offset=64, cores_per_l3=8, distances=grid(3, 10, 20, 20, 1),
                   devices=[("0000:21:00.0", 1), ("0000:61:00.0", 3)],
                   model="NVIDIA A100-PCIE-40GB", kind="0302 [10de:20f1] [10de:145f] a1")


def large_512():
    # Two CPUs of eight 16-core dies, each die a NUMA node.
    return Machine(even_nodes(16, 16, 256, 96 * GIB, 8), smt_offset=256, cores_per_l3=16,
                   distances=grid(16, 10, 11, 32, 8), model="NVIDIA H200",
                   devices=[(f"0000:{bus}:00.0", node) for bus, node in zip(
                       ("05", "26", "46", "66", "85", "a6", "c6", "e6"),
                       (1, 3, 5, 7, 9, 11, 13, 15))],
                   kind="0302 [10de:2335] [10de:18be] a1")


def from_folder(name, smt_offset, cores_per_l3, kind):
    """The NUMA nodes of a folder and the devices that its expected/accelerators lists."""
    folder = MACHINES / name
    node_folder = folder / "sys/devices/system/node"
    nodes, distances = [], []
    for path in sorted(node_folder.glob("node*"), key=lambda p: int(p.name[4:])):
        total = (path / "meminfo").read_text().split("MemTotal:")[1].split()[0]
        number = int(path.name[4:])
        nodes.append(Node(number, parse_list((path / "cpulist").read_text()), int(total) * 1024))
        distances.append([int(d) for d in (path / "distance").read_text().split()])
    for node, row in zip(nodes, distances):
        node.package = min(n.id for n, d in zip(nodes, row) if d < 20)
    devices = []
    for line in (folder / "expected/accelerators").read_text().splitlines()[1:]:
        fields = dict(part.split("=", 1) for part in line.split(" ") if "=" in part)
        number = int(fields["numa"])
        devices.append((fields["pci"], number if number >= 0 else None))
    return Machine(nodes, smt_offset, cores_per_l3, devices, kind, distances)


TABLE = {
    "nvidia_nps4": nvidia_nps4,
    "nvidia_grace": nvidia_grace,
    "cxl_memory": cxl_memory,
    "nvidia_no_node": nvidia_no_node,
    "cpu_offline": cpu_offline,
    "large_512": large_512,
    "nvidia_8gpu": lambda: from_folder("nvidia_8gpu", 64, 32, "0302 [10de:20b2] [10de:1463] a1"),
    "amd_node": lambda: from_folder("amd_node", 64, 8, "0380 [1002:7408] [1002:0b0c] 01"),
    "dcu_node": lambda: from_folder("dcu_node", 32, 4, "0b40 [1d94:6210] [1d94:6210] 01"),
}


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write_nodes(folder, machine):
    base = folder / "sys/devices/system/node"
    ids = [node.id for node in machine.nodes]
    put(base / "online", list_text(ids) + "\n")
    put(base / "has_cpu", list_text(node.id for node in machine.nodes if node.cpus) + "\n")
    with_memory = list_text(node.id for node in machine.nodes if node.memory) + "\n"
    put(base / "has_memory", with_memory)
    put(base / "has_normal_memory", with_memory)
    for node, row in zip(machine.nodes, machine.distances):
        here = base / f"node{node.id}"
        kib = node.memory // 1024
        put(here / "cpulist", list_text(node.cpus) + "\n")
        put(here / "distance", " ".join(map(str, row)) + "\n")
        put(here / "meminfo", f"Node {node.id} MemTotal:       {kib} kB\n"
                              f"Node {node.id} MemFree:        {kib * 9 // 10} kB\n")
    cpus = list_text(cpu for node in machine.nodes for cpu in node.cpus)
    put(folder / "sys/devices/system/cpu/online", cpus + "\n")
    thp = folder / "sys/kernel/mm/transparent_hugepage"
    put(thp / "enabled", "always [madvise] never\n")
    put(thp / "defrag", "always defer defer+madvise [madvise] never\n")
    put(thp / "hpage_pmd_size", "2097152\n")


def write_gpus(folder, machine):
    cpus_of = {node.id: node.cpus for node in machine.nodes}
    all_cpus = [cpu for node in machine.nodes for cpu in node.cpus]
    for minor, (address, home) in enumerate(machine.devices):
        root = f"pci{address[:7]}"
        device = folder / "sys/devices" / root / address
        put(device / "vendor", "0x10de\n")
        put(device / "numa_node", f"{-1 if home is None else home}\n")
        put(device / "local_cpulist", list_text(cpus_of.get(home, all_cpus)) + "\n")
        for link, target in (
                (folder / "sys/bus/pci/devices" / address, f"../../../devices/{root}/{address}"),
                (folder / "sys/bus/pci/drivers/nvidia" / address,
                 f"../../../../devices/{root}/{address}")):
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(target)
        put(folder / "proc/driver/nvidia/gpus" / address / "information",
            f"Model: \t\t {machine.model}\n"
            f"GPU UUID: \t GPU-00000000-0000-4000-8000-{minor:012d}\n"
            f"Bus Location: \t {address}\nDevice Minor: \t {minor}\nGPU Excluded:\t No\n")
        put(folder / f"dev/nvidia{minor}", "")
    put(folder / "dev/nvidiactl", "")
    put(folder / "expected/accelerators", "platform nvidia\n" + "".join(
        f"vendor=nvidia pci={address} numa={-1 if home is None else home} "
        f"cpus={list_text(cpus_of.get(home, all_cpus))} files=/dev/nvidia{minor} "
        f"uuid=GPU-00000000-0000-4000-8000-{minor:012d} gfx= name={machine.model}\n"
        for minor, (address, home) in enumerate(machine.devices)))
    put(folder / "sys/module/nvidia/.keep", "")


def main(names):
    for name in names or TABLE:
        machine = TABLE[name]()
        folder = MACHINES / name
        put(folder / "topology.xml", topology_xml(machine))
        if machine.model:
            write_nodes(folder, machine)
            write_gpus(folder, machine)


if __name__ == "__main__":
    main(sys.argv[1:])
