"""Tests mete_hook.py in real processes. The decoder follows
docs/internals/hook-wire.md and does not use the module's own code."""
import os
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

APP = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                   "hook_python_app.py")
TIMER, RATE, NUMBER, DROPPED = 1, 2, 3, 4


def decode(datagram):
    """Returns (pid, session, sequence), [(kind, name, value, at)]."""
    magic, version, flags, records, pid, size, session, sequence = (
        struct.unpack_from("<4sBBHIIQQ", datagram))
    assert (magic, version, flags, size) == (b"METE", 1, 0, len(datagram))
    found, offset = [], 32
    for _ in range(records):
        length, kind, name_length, at, value = struct.unpack_from(
            "<HBBQd", datagram, offset)
        name = datagram[offset + 20:offset + 20 + name_length].decode()
        assert length == 20 + name_length
        found.append((kind, name, value, at))
        offset += length
    assert offset == size
    return (pid, session, sequence), found


class HookPythonTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "hook.sock")
        self.events, self.dropped, self.expected = [], {}, {}
        self.listen()

    def tearDown(self):
        self.receiver.close()
        self.folder.cleanup()

    def listen(self):
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.receiver.bind(self.path)

    def start(self, scenario, path=None):
        environment = dict(os.environ)
        environment.pop("METE_HOOK_SOCKET", None)
        if path is None:
            path = self.path
        if path:
            environment["METE_HOOK_SOCKET"] = path
        return subprocess.Popen([sys.executable, "-B", APP, scenario],
                                env=environment, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE)

    def take(self, patience):
        """Reads one datagram; returns False if none arrives."""
        self.receiver.settimeout(patience)
        try:
            datagram = self.receiver.recv(65536)
        except (socket.timeout, BlockingIOError):
            return False
        (pid, session, sequence), records = decode(datagram)
        # No gaps for any sender.
        key = (pid, session)
        self.assertEqual(sequence, self.expected.get(key, 0))
        self.expected[key] = sequence + len(records)
        for kind, name, value, at in records:
            if kind == DROPPED:
                self.dropped[name] = self.dropped.get(name, 0) + value
            else:
                self.events.append((kind, name, value, at))
        return True

    def run_app(self, scenario):
        app = self.start(scenario)
        while app.poll() is None:
            self.take(0.02)
        while self.take(0):
            pass
        app.communicate()
        self.assertEqual(app.returncode, 0)

    def values(self, name):
        return [value for _, found, value, _ in self.events if found == name]

    def test_what_is_recorded_arrives_to_the_last_event(self):
        self.run_app("basics")
        self.assertEqual(self.values("level"), list(range(10)))
        self.assertEqual(self.values("frame"), [1] * 10)
        self.assertEqual(self.values("token"), [12])
        self.assertEqual(len(self.values("step")), 10)
        kinds = {name: kind for kind, name, _, _ in self.events}
        self.assertEqual(kinds, {"level": NUMBER, "frame": RATE,
                                 "token": RATE, "step": TIMER})
        stamps = [at for _, _, _, at in self.events]
        self.assertEqual(stamps, sorted(stamps))
        self.assertEqual(self.dropped, {})

    def test_functions_and_coroutines_are_timed_and_errors_passed_on(self):
        self.run_app("decorators")
        self.assertEqual(len(self.values("function")), 4)
        # The first call ends last, and each of the four sleeps for 5 ms.
        self.assertGreaterEqual(self.values("function")[3], 0.02)
        self.assertEqual(len(self.values("coroutine")), 1)
        self.assertGreaterEqual(self.values("coroutine")[0], 0.03)
        self.assertEqual(len(self.values("by_hand")), 1)
        self.assertEqual(len(self.values("raising")), 1)
        self.assertEqual(self.values("passed_on"), [1])

    def test_many_threads_and_nested_timers_all_count(self):
        self.run_app("threads")
        self.assertEqual(len(self.values("step")), 2000)
        self.assertEqual(len(self.values("frame")), 1000)
        self.assertEqual(self.dropped, {})

    def test_odd_input_is_dropped_or_cut_and_counted(self):
        self.run_app("odd_input")
        self.assertEqual(self.values("number"), [1])
        self.assertEqual(self.values("5"), [1])
        self.assertEqual(self.values("?"), [1])
        self.assertEqual(len(self.values("[1]")), 2)
        self.assertEqual(self.values("x" * 63), [1])
        self.assertEqual(self.values("y" * 62), [1])
        self.assertEqual(self.dropped, {"number": 6, "": 2, "frame": 1})

    def test_a_full_queue_drops_and_counts_every_event(self):
        app = self.start("burst")
        app.stdout.readline()
        while (len(self.events) + self.dropped.get("burst", 0) < 100000 and
               self.take(10)):
            pass
        app.communicate()
        self.assertEqual(len(self.events) + self.dropped["burst"], 100000)
        self.assertGreater(self.dropped["burst"], 0)
        self.assertEqual(app.returncode, 0)

    def test_a_receiver_that_never_reads_lets_the_program_end(self):
        app = self.start("burst")
        app.communicate()
        self.assertEqual(app.returncode, 0)

    def test_a_forked_child_is_a_sender_of_its_own(self):
        self.run_app("fork")
        self.assertEqual(len(self.values("child")), 30)
        self.assertEqual(self.values("parent"), [1, 2])
        self.assertEqual(len(self.expected), 4)

    def test_workers_of_multiprocessing_are_heard_to_their_end(self):
        self.run_app("processes")
        self.assertEqual(sorted(self.values("worker")), [0, 1, 2])

    def test_flush_is_enough_before_an_end_without_goodbye(self):
        self.run_app("flush_then_end")
        self.assertEqual(self.values("frame"), [5])

    def test_signal_handlers_may_record(self):
        self.run_app("signals")
        self.assertEqual([len(self.values("signal"))], self.values("signals"))

    def test_nobody_needs_to_listen(self):
        self.receiver.close()
        for path in ["", self.path, "/nowhere/hook.sock", self.folder.name,
                     "x" * 500]:
            for scenario in ["basics", "decorators", "odd_input"]:
                app = self.start(scenario, path)
                app.communicate()
                self.assertEqual(app.returncode, 0, (path, scenario))

    def test_finds_a_receiver_that_comes_later_and_one_that_comes_back(self):
        self.receiver.close()
        app = self.start("until_told")
        app.stdout.readline()
        for _ in range(2):
            self.listen()
            self.events = []
            while len(self.events) < 10 and self.take(10):
                pass
            self.assertGreaterEqual(len(self.events), 10)
            self.receiver.close()
        app.communicate()
        self.assertEqual(app.returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
