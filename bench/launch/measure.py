#!/usr/bin/env python3
"""Times job steps inside the present allocation with different plugstack.conf, interleaved."""
import argparse
import json
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

TARGET_MS = 3.0
CONFIDENCE = 0.95
# Name, what plugstack.conf says, and the words on the command line.
BARE = "no plugin"
EMPTY = "empty plugin"
UNASKED = "HyperAcc, not asked"
HOOKS = "HyperAcc, --hyperacc=hooks"
ALL = "HyperAcc, --hyperacc=all"  # also loads the node library, which looks at the machine and binds
PLUGIN_LINE = f"optional {os.environ['HYPERACC_PLUGIN']}\n"
VARIANTS = {
    BARE: ("", []),
    EMPTY: (f"optional {os.environ['EMPTY_PLUGIN']}\n", []),
    UNASKED: (PLUGIN_LINE, []),
    HOOKS: (PLUGIN_LINE, ["--hyperacc=hooks"]),
    ALL: (PLUGIN_LINE, ["--hyperacc=all"]),
}
TARGETED = (UNASKED, HOOKS)  # the plugin itself


def write_plugstack(text):
    """Both sides read it at each launch."""
    for place in ("login", "n1", "n2"):
        path = Path(os.environ["CLUSTER_DIR"], "conf", place, "plugstack.conf")
        path.with_suffix(".new").write_text(text)
        path.with_suffix(".new").replace(path)


def time_step(tasks, words):
    """Milliseconds from starting srun to its end."""
    command = ["srun", "--overlap", f"--ntasks={tasks}", *words, "true"]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return (time.perf_counter() - start) * 1e3


def measure(tasks, rounds):
    """One time a round for each variant, in another order each round, so that drift hits all alike."""
    times = {name: [] for name in VARIANTS}
    order = list(VARIANTS)
    for number in range(-3, rounds):  # the first rounds warm the caches
        random.shuffle(order)
        for name in order:
            text, words = VARIANTS[name]
            write_plugstack(text)
            elapsed = time_step(tasks, words)
            if number >= 0:
                times[name].append(elapsed)
    return times


def median_interval(values):
    """The median and its confidence interval from the sign test: exact, whatever the distribution."""
    ordered = sorted(values)
    n = len(ordered)
    tail = (1 - CONFIDENCE) / 2
    rank, below = 0, 0.0
    while True:
        below += math.comb(n, rank) / 2**n
        if below > tail:
            break
        rank += 1
    if rank == 0:
        return statistics.median(ordered), -math.inf, math.inf
    return statistics.median(ordered), ordered[rank - 1], ordered[n - rank]


def differences(times, name, base):
    return [a - b for a, b in zip(times[name], times[base])]


def report(tasks, times):
    """Prints the table of one task count; returns its rows for the JSON file."""
    print(f"\n{tasks} task{'s' if tasks > 1 else ''}, {len(times[BARE])} rounds{'':14}median   "
          "more than no plugin (95 %)     more than an empty one (95 %)")
    rows = []
    for name, values in times.items():
        row = {"tasks": tasks, "variant": name, "median_ms": statistics.median(values), "times_ms": values}
        cells = []
        for key, base in (("over_bare_ms", BARE), ("over_empty_ms", EMPTY)):
            if name in (base, BARE):
                cells.append("")
                continue
            median, low, high = median_interval(differences(times, name, base))
            row[key] = {"median": median, "low": low, "high": high}
            cells.append(f"{median:+.2f} ms ({low:+.2f} to {high:+.2f})")
        print(f"  {name:<28}{row['median_ms']:>8.1f} ms   {cells[0]:<30} {cells[1]}".rstrip())
        rows.append(row)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="at least 100 for the record")
    parser.add_argument("--tasks", default="1,8", help="task counts, separated by commas")
    parser.add_argument("--json", type=Path, required=True, help="where the result goes")
    arguments = parser.parse_args()

    random.seed(1)
    rows = []
    for tasks in map(int, arguments.tasks.split(",")):
        rows += report(tasks, measure(tasks, arguments.rounds))
    worst = max(row["over_bare_ms"]["high"] for row in rows if row["variant"] in TARGETED)
    met = worst <= TARGET_MS
    load = os.getloadavg()[0]
    print(f"\nTarget: the plugin costs at most {TARGET_MS:.0f} ms a step, at the interval's upper end: "
          f"{'met' if met else 'missed'}, the largest is {worst:.2f} ms. Load average {load:.1f}.")
    arguments.json.write_text(json.dumps({
        "benchmark": "launch", "slurm": os.environ["SLURM_VERSION"], "machine": platform.platform(),
        "cpus": os.cpu_count(), "load_average": load, "rounds": arguments.rounds,
        "target_ms": TARGET_MS, "target_met": met, "results": rows}, indent=1) + "\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
