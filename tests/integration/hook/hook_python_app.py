"""An application under test. Runs the scenario named by its first argument."""
import asyncio
import multiprocessing
import os
import signal
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                *[".."] * 3, "python"))
import mete_hook  # noqa: E402


def wait_for_test():
    print("ready", flush=True)
    sys.stdin.read()


def basics():
    for i in range(10):
        with mete_hook.timer("step"):
            mete_hook.rate("frame")
            mete_hook.number("level", i)
    mete_hook.rate("token", 12)


@mete_hook.timer("function")
def countdown(n):
    time.sleep(0.005)
    return n if n == 0 else countdown(n - 1)


@mete_hook.timer("coroutine")
async def nap():
    await asyncio.sleep(0.03)
    return 7


def decorators():
    assert countdown(3) == 0 and countdown.__name__ == "countdown"
    assert asyncio.run(nap()) == 7
    started = mete_hook.timer("by_hand").start()
    started.stop()
    try:
        with mete_hook.timer("raising"):
            raise KeyError("mine")
    except KeyError:
        mete_hook.number("passed_on", 1)


def threads():
    def work():
        for _ in range(250):
            with mete_hook.timer("step"), mete_hook.timer("step"):
                mete_hook.rate("frame")
    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


class Hostile:
    def __str__(self):
        raise RuntimeError("no name")

    __float__ = __str__


def odd_input():
    mete_hook.number("number", float("nan"))
    mete_hook.number("number", float("-inf"))
    mete_hook.number("number", "three")
    mete_hook.number("number", None)
    mete_hook.number("number", 10 ** 400)
    mete_hook.number("number", Hostile())
    mete_hook.number("number", True)
    mete_hook.number(Hostile(), 1)
    mete_hook.number("", 1)
    mete_hook.number(5, 1)
    with mete_hook.timer([1]):
        mete_hook.rate([1])
    mete_hook.rate("frame", 0)
    mete_hook.rate("frame", -1)
    mete_hook.number("x" * 5000, 1)
    mete_hook.number("y" * 62 + "\u00e4 and on", 1)
    mete_hook.number("\udc80", 1)


def burst():
    for _ in range(100000):
        mete_hook.rate("burst")
    wait_for_test()


def fork():
    mete_hook.number("parent", 1)
    for _ in range(3):
        child = os.fork()
        if child == 0:
            for n in range(10):
                mete_hook.number("child", n)
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
    mete_hook.number("parent", 2)


def work_in_pool(n):
    mete_hook.number("worker", n)
    return n


def processes():
    mete_hook.number("parent", 1)
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=work_in_pool, args=(i,))
               for i in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0


def flush_then_end():
    mete_hook.rate("frame", 5)
    mete_hook.flush()
    os._exit(0)


def signals():
    taken = []

    def handler(*unused):
        taken.append(1)
        mete_hook.rate("signal")
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    while len(taken) < 100:
        mete_hook.rate("frame")
        mete_hook.flush()
    signal.setitimer(signal.ITIMER_REAL, 0)
    mete_hook.number("signals", len(taken))


def until_told():
    stop = threading.Event()

    def work():
        while not stop.wait(0.001):
            mete_hook.rate("frame")
    worker = threading.Thread(target=work)
    worker.start()
    wait_for_test()
    stop.set()
    worker.join()


def paced():
    """Records 30 frames per second with two metrics each, for two seconds."""
    start = time.monotonic()
    for frame in range(61):
        time.sleep(max(0, start + frame / 30 - time.monotonic()))
        with mete_hook.timer("inference"):
            mete_hook.rate("frame")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
