"""Tests of mutate.py: python3 tools/mutate/mutate_test.py."""

import contextlib
import io
import subprocess
import threading
import unittest

import mutate


class FakeFolder:
    def __init__(self, failure=None):
        self.failure = failure
        self.judged = False

    def prepare(self):
        if self.failure:
            raise self.failure


def judge(folder):
    folder.judged = True


class MutateTest(unittest.TestCase):
    def setUp(self):
        self.said = io.StringIO()
        redirected = contextlib.redirect_stdout(self.said)
        redirected.__enter__()
        self.addCleanup(redirected.__exit__, None, None, None)


class LeaveOutUntestedTest(MutateTest):
    def test_names_and_removes_folders_without_tests(self):
        mutants = {
            "mete_net_test": [("src/base/net/http.cc", None)],
            "mete_apps_agent_test": [("src/frontends/apps/agent/main.cc", None)] * 2,
        }
        mutate.leave_out_untested(mutants, {"mete_net_test", "mete"})
        self.assertEqual(list(mutants), ["mete_net_test"])
        self.assertEqual(
            self.said.getvalue(),
            "mutate: src/frontends/apps/agent has no unit tests and is left out\n",
        )


class IsListedTest(unittest.TestCase):
    LISTED = mutate.listed_changes(
        "equivalent src/a/b.cc:2 (guard)\n  - f();\n  + g();\nThe reason.\n",
        "equivalent",
    )

    def is_listed(self, line, source, change=("src/a/b.cc", "f();", "g();")):
        return mutate.is_listed(change, line, source, self.LISTED)

    def test_a_line_may_have_moved(self):
        self.assertTrue(self.is_listed(3, "\n\n  f();\n"))

    def test_other_changes_are_not(self):
        self.assertFalse(
            self.is_listed(2, "\nf();\n", ("src/a/b.cc", "f();", "h();"))
        )
        self.assertFalse(
            self.is_listed(2, "\nf();\n", ("src/a/c.cc", "f();", "g();"))
        )

    def test_the_number_selects_one_of_several_equal_lines(self):
        source = "f();\n  f();\nf();\n"
        self.assertTrue(self.is_listed(2, source))
        self.assertFalse(self.is_listed(3, source))

    def test_survivors_are_other_changes(self):
        listed = mutate.listed_changes(
            "survived src/a/b.cc:2 (guard)\n  - f();\n  + g();\n"
            "killed src/a/b.cc:3 (guard)\n",
            "survived",
        )
        self.assertEqual(dict(listed), {("src/a/b.cc", "f();", "g();"): {2}})


class JudgeAllTest(MutateTest):
    def test_judges_the_others_when_a_folder_does_not_compile(self):
        folders = [FakeFolder(), FakeFolder(RuntimeError("bad")), FakeFolder()]
        whole = mutate.judge_all(folders, judge, 1, threading.Event())
        self.assertFalse(whole)
        self.assertEqual([one.judged for one in folders], [True, False, True])
        self.assertEqual(self.said.getvalue(), "mutate: bad\n")

    def test_reports_a_folder_that_fails_while_it_is_judged(self):
        def fail(folder):
            raise RuntimeError("fails without any mutation")

        self.assertFalse(
            mutate.judge_all([FakeFolder()], fail, 1, threading.Event())
        )
        self.assertIn("fails without any mutation", self.said.getvalue())

    def test_an_interruption_stops_the_folders_that_are_judged(self):
        stop = threading.Event()
        ended = []
        folders = [FakeFolder(), FakeFolder(KeyboardInterrupt())]
        with self.assertRaises(KeyboardInterrupt):
            mutate.judge_all(
                folders, lambda folder: ended.append(stop.wait(60)), 1, stop
            )
        self.assertEqual(ended, [True])


class EndedWellTest(unittest.TestCase):
    def ended_well(self, script, seconds=60, stop=None):
        with subprocess.Popen(["sh", "-c", script]) as process:
            try:
                return mutate.ended_well(process, seconds, stop or threading.Event())
            finally:
                process.kill()

    def test_is_the_result_of_the_process(self):
        self.assertTrue(self.ended_well("exit 0"))
        self.assertFalse(self.ended_well("exit 3"))

    def test_a_process_that_never_ends_has_not_ended_well(self):
        self.assertFalse(self.ended_well("exec sleep 60", seconds=0.1))

    def test_does_not_wait_when_the_run_is_stopped(self):
        stop = threading.Event()
        stop.set()
        with self.assertRaises(mutate.Stopped):
            self.ended_well("exec sleep 60", stop=stop)


if __name__ == "__main__":
    unittest.main()
