"""Tests of mutations.py: python3 tools/mutate/mutations_test.py."""

import unittest

import mutations


def texts(source):
    """The mutated sources."""
    return [mutations.apply(source, one) for one in mutations.find(source)]


class FindTest(unittest.TestCase):
    def test_moves_a_boundary(self):
        self.assertEqual(texts("return a < b;"), ["return a <= b;"])

    def test_leaves_templates_and_references_alone(self):
        self.assertEqual(texts("std::vector<int> f(T&& t);"), [])

    def test_raises_a_whole_number(self):
        self.assertEqual(texts("int n = 9;"), ["int n = 10;"])

    def test_leaves_names_with_digits_alone(self):
        self.assertEqual(texts("uint64_t p50;"), [])

    def test_leaves_exponents_alone(self):
        self.assertEqual(texts("f(1e-9);"), [])

    def test_doubles_a_fraction(self):
        self.assertEqual(texts("x = 0.25;"), ["x = 0.25 * 2;"])

    def test_replaces_a_zero_that_doubling_does_not_change(self):
        self.assertEqual(texts("x = 0.0;"), ["x = 1.0;"])

    def test_disables_a_guard(self):
        self.assertIn(
            "if (false) if (x || y) return 1;", texts("if (x || y) return 1;")
        )

    def test_disables_the_check_of_an_error(self):
        self.assertEqual(
            texts("RETURN_IF_ERROR(f());"), ["static_cast<void>(f());"]
        )

    def test_removes_a_lock(self):
        self.assertEqual(texts("  std::lock_guard lock(mutex_);"), ["  "])

    def test_leaves_comments_strings_and_includes_alone(self):
        self.assertEqual(
            texts('#include "a < b"\n// a < b\nf("a < b"); /* 1\n2 */ \'1\''), []
        )
        self.assertEqual(texts('f(R"x(1 == 2)x");'), [])

    def test_finds_code_after_a_digit_separator(self):
        self.assertEqual(
            texts("f(1'000); g(a == b); h('c');"),
            ["f(1'000); g(a != b); h('c');"],
        )

    def test_counts_lines_from_one(self):
        found = mutations.find("\n\nreturn a == b;\n")
        self.assertEqual([one.line for one in found], [3])


class ShuffledTest(unittest.TestCase):
    FILES = {
        "src/a/long.cc": "x = a == b;\n" * 50,
        "src/a/short.cc": "x = a == b;\n",
        "src/b/other.cc": "x = a == b;\nif (x) return 7;\n",
    }

    def test_is_the_same_for_the_same_seed(self):
        first = mutations.shuffled(self.FILES, 3)
        self.assertEqual(first, mutations.shuffled(self.FILES, 3))
        self.assertNotEqual(first, mutations.shuffled(self.FILES, 4))

    def test_folders_and_files_take_turns(self):
        names = [name for name, _ in mutations.shuffled(self.FILES, 1)]
        self.assertEqual(len(names), 50 + 1 + 3)
        self.assertEqual(sum(n.startswith("src/b/") for n in names[:4]), 2)
        self.assertIn("src/a/short.cc", names[:4])

    def test_kinds_take_turns(self):
        order = mutations.shuffled({"src/b/other.cc": self.FILES["src/b/other.cc"]}, 1)
        kinds = {one.kind for _, one in order}
        self.assertEqual({one.kind for _, one in order[: len(kinds)]}, kinds)


if __name__ == "__main__":
    unittest.main()
