#!/usr/bin/env python3
"""Where the work of a command goes, thread by thread, on one core and on two: `scripts/benchmark cores`.

Usage: scripts/benchmark cores [--count N] [--rounds N] [--program PATH]

  --count N        How many users, and films (1000000)
  --rounds N       How often each command runs; the medians are shown (3)
  --program PATH   The tributary to measure

It samples the processor time of each thread in /proc, so it needs Linux, and holds the command to one core by taskset.
The times for more cores are a calculation: the work that can be divided takes its share of the cores, and no run is
shorter than its busiest thread whose work cannot be divided.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

# The threads whose work several of them share; the work of each other thread cannot be divided.
SHARED = {"parse", "prepare", "index"}
MEANING = {"read": "reading, finding borders", "parse": "yajl, records", "prepare": "values, rows",
           "import": "keys, pages, commits", "index": "sorted keys", "tributary": "the command, its output"}


def sample(process, times):
    """Adds the processor time of the threads that run to `times`."""
    folder = f"/proc/{process.pid}/task"
    try:
        threads = os.listdir(folder)
    except FileNotFoundError:
        return
    for thread in threads:
        try:
            with open(f"{folder}/{thread}/stat", encoding="utf-8") as file:
                text = file.read()
            with open(f"{folder}/{thread}/schedstat", encoding="utf-8") as file:
                nanoseconds = int(file.read().split()[0])
        except (FileNotFoundError, ProcessLookupError, ValueError):
            continue
        times[thread] = (text[text.index("(") + 1:text.rindex(")")], nanoseconds / 1e9)


def run(words, cores):
    """Runs a command; returns its seconds, and for each name the seconds of its threads."""
    times = {}
    begin = time.monotonic()
    process = subprocess.Popen(["taskset", "-c", ",".join(map(str, range(cores)))] + words,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while process.poll() is None:
        sample(process, times)
        time.sleep(0.005)
    seconds = time.monotonic() - begin
    if process.returncode != 0:
        sys.exit(f"{' '.join(words)}: {process.stderr.read().decode()}")
    threads = {}
    for name, spent in times.values():
        threads.setdefault(name, []).append(spent)
    return seconds, threads


def median(runs, name, of=sum):
    return statistics.median(of(threads.get(name, [0])) for _, threads in runs)


def show(title, records, runs):
    """Prints what the runs on one core and on two have taken."""
    one, two = (statistics.median(seconds for seconds, _ in runs[cores]) for cores in (1, 2))
    names = sorted({name for _, threads in runs[2] for name in threads}, key=lambda name: -median(runs[2], name))
    print(f"\n{title}: {one:.2f} s on one core, {two:.2f} s on two, {one / two:.2f} times as fast")
    total = sum(median(runs[2], name) for name in names)
    serial, limit = 0, ""
    for name in names:
        spent = median(runs[2], name)
        if spent < total / 200:
            continue
        if name not in SHARED and median(runs[2], name, max) > serial:
            serial, limit = median(runs[2], name, max), name
        count = statistics.median(len(threads.get(name, [])) for _, threads in runs[2])
        print(f"  {name:10} {spent * 1e6 / records:7.2f} s a million records, {spent / total:4.0%}, {count:.0f} threads"
              f"{'' if name in SHARED else ', not divided'}: {MEANING.get(name, '')}")
    print(f"  busiest thread that cannot be divided: {limit}, 1/{total / serial:.1f} of {total:.2f} s")
    expected = [f"{max(total / cores, serial):.2f} s on {cores}" for cores in (4, 8, 16)]
    print(f"  calculated: {', '.join(expected)}; {limit} limits from {total / serial:.0f} cores on")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    inputs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare_inputs.py")
    with tempfile.TemporaryDirectory() as folder:
        users, films = os.path.join(folder, "users.json"), os.path.join(folder, "films.ndjson")
        for kind, path in (("users", users), ("films", films)):
            subprocess.run([sys.executable, inputs, kind, str(options.count), path], check=True, stdout=subprocess.DEVNULL)
        database = os.path.join(folder, "app.sqlite")
        load = [options.program, "import", "-q", database]
        for title, words in (
                ("validate", [options.program, "validate", users]),
                ("records", [options.program, "records", users]),
                ("first load, keyed", load + [users, "--entity", "User", "--key", "id"]),
                ("first load, related tables", load + [films, "--entity", "Film", "--relations"])):
            runs = {1: [], 2: []}
            for _ in range(options.rounds):
                for cores in runs:
                    for name in os.listdir(folder):
                        if name.startswith("app.sqlite"):
                            os.remove(os.path.join(folder, name))
                    runs[cores].append(run(words, cores))
            show(title, options.count, runs)


main()
