"""Measures the cost of a call of mete_hook.py; run by hook_cost for every case.

hook_cost.py CASE LIMIT_NS: prints the median over blocks of calls, minus the
cost of an empty loop. A with-block of a timer counts as three calls: create,
enter and exit.
"""
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "python"))
import mete_hook  # noqa: E402

BLOCKS, CALLS = 200, 500


def median_of_blocks(function):
    function()
    seconds = []
    for _ in range(BLOCKS):
        before = time.perf_counter_ns()
        for _ in range(CALLS):
            function()
        seconds.append((time.perf_counter_ns() - before) / CALLS)
        mete_hook.flush()
    return sorted(seconds)[BLOCKS // 2]


def timed():
    with mete_hook.timer("decode"):
        pass


why, limit = sys.argv[1], float(sys.argv[2])
empty = median_of_blocks(lambda: None)
kinds = {"rate": (lambda: mete_hook.rate("frame"), 1),
         "number": (lambda: mete_hook.number("queue_length", 3), 1),
         "timer": (timed, 3)}
all_pass = True
for name, (function, calls) in kinds.items():
    cost = max(0, median_of_blocks(function) - empty) / calls
    passed = cost < limit
    all_pass = all_pass and passed
    print("Python {}, {}: median {:.0f} ns per call (limit {:.0f} ns): {}".format(
        name, why, cost, limit, "PASS" if passed else "FAIL"), flush=True)
sys.exit(0 if all_pass else 1)
