"""Measures how well unit tests notice bugs: ./dev mutate.

Puts small bugs into source files, one at a time, and runs the unit tests of the
file's folder. A bug that no test notices has survived. The files are changed in
a copy, build/mutate/tree; your own stay as they are.
"""

import argparse
import collections
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import mutations

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / "build/mutate/tree"
BUILD = ROOT / "build/mutate/build"
# Folders of src/ that are include roots, so that targets are named without them.
GROUPS = ("base", "math", "core", "workloads", "verbs", "frontends")
TEST_SECONDS = 120


def run(command, **options):
    return subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        **options,
    )


def say(text):
    print(text, flush=True)


def git(*arguments):
    return run(["git", "-C", ROOT, *arguments]).stdout.split("\n")


def test_target(file):
    """mete_adapters_sqlite_test for src/adapters/sqlite/database.cc."""
    parts = pathlib.PurePath(file).parts[1:-1]
    if parts[0] in GROUPS:
        parts = parts[1:]
    return "mete_" + "_".join(parts) + "_test"


def is_source(name):
    return (
        name.startswith("src/")
        and name.endswith(".cc")
        and not name.endswith("_test.cc")
        and (ROOT / name).is_file()
    )


def chosen_files(given):
    """The sources that were named (folders stand for all in them), else those
    that differ from the last commit, else those of the last commit."""
    if given:
        tracked = [name for name in git("ls-files", "src") if is_source(name)]
        files = []
        for name in given:
            path = os.path.relpath(os.path.abspath(name), ROOT)
            inside = [
                one for one in tracked if one == path or one.startswith(path + "/")
            ]
            if not inside:
                sys.exit(f"mutate: {name}: no source file of src/")
            files += inside
        return sorted(set(files))
    for arguments in (["HEAD"], ["HEAD~1", "HEAD"]):
        files = [
            name for name in git("diff", "--name-only", *arguments) if is_source(name)
        ]
        if files:
            return sorted(files)
    return []


def copy_tree():
    """Copies every file that git knows to the tree, unless it is equal there."""
    known = [name for name in git("ls-files") if name]
    for name in known:
        source, target = ROOT / name, TREE / name
        if not source.is_file():
            continue
        content = source.read_bytes()
        if target.is_file() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    for path in sorted(TREE.rglob("*"), reverse=True):
        relative = str(path.relative_to(TREE))
        gone = path.is_file() and not (ROOT / relative).is_file()
        if gone and not relative.startswith("build"):
            path.unlink()
    dependencies = TREE / "build/deps"
    dependencies.parent.mkdir(exist_ok=True)
    if not dependencies.exists():
        dependencies.symlink_to(ROOT / "build/deps")


def configure():
    done = run(
        [
            "cmake", "-S", TREE, "-B", BUILD, "-G", "Ninja",
            "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
            "-DMETE_BENCH=OFF", "-DMETE_WERROR=OFF",
        ]
    )  # fmt: skip
    if done.returncode != 0:
        sys.exit("mutate: configuring failed\n" + done.stdout[-2000:])


def compile_target(target):
    return run(["ninja", "-C", BUILD, target])


def passes(target):
    """Whether the tests pass. A mutant that never ends does not."""
    environment = {**os.environ, "GTEST_FAIL_FAST": "1"}
    # A session of its own: a mutant may leave processes behind.
    with subprocess.Popen(
        [str(BUILD / "tests" / target)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
        cwd=BUILD,
    ) as process:
        try:
            return process.wait(TEST_SECONDS) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def check_unchanged(targets):
    """Builds the tests and fails unless they pass without a mutation."""
    for target in sorted(targets):
        say(f"mutate: building {target}")
        built = compile_target(target)
        if built.returncode != 0:
            if "unknown target" in built.stdout:
                sys.exit(f"mutate: {target}: this folder has no unit tests")
            sys.exit(f"mutate: {target} does not compile\n{built.stdout[-2000:]}")
        if not passes(target):
            sys.exit(f"mutate: {target} fails without any mutation")


def verdict_on(name, source, mutation):
    """killed, survived, or invalid when it does not compile."""
    path = TREE / name
    try:
        path.write_text(mutations.apply(source, mutation))
        if compile_target(test_target(name)).returncode != 0:
            return "invalid"
        return "survived" if passes(test_target(name)) else "killed"
    finally:
        path.write_text(source)


def show(name, source, mutation, verdict):
    before = source.split("\n")[mutation.line - 1].strip()
    mutated = mutations.apply(source, mutation)
    after = mutated.split("\n")[mutation.line - 1].strip()
    say(f"{verdict} {name}:{mutation.line} ({mutation.kind})")
    if verdict == "survived":
        say(f"  - {before}\n  + {after}")


def summarise(results, seed, least):
    """Prints a line per folder. Returns whether the share is large enough."""
    folders = collections.defaultdict(collections.Counter)
    for name, _, verdict in results:
        folders[name.rpartition("/")[0]][verdict] += 1
    total = collections.Counter()
    say(f"\n{'folder':<32} {'mutants':>7} {'killed':>7} {'survived':>8}")
    for folder, counts in sorted(folders.items()) + [("all", total)]:
        mutants = counts["killed"] + counts["survived"]
        share = f"{100 * counts['killed'] / mutants:.0f} %" if mutants else ""
        say(f"{folder:<32} {mutants:>7} {share:>7} {counts['survived']:>8}")
        total.update(counts)
    mutants = total["killed"] + total["survived"]
    say(f"seed {seed}; {total['invalid']} more did not compile")
    return mutants > 0 and 100 * total["killed"] >= least * mutants


def main():
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__)
    parser.add_argument("file", nargs="*", help="source files or folders")
    parser.add_argument("--count", type=int, default=20, help="mutants (20)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument(
        "--least",
        type=float,
        default=0,
        metavar="PERCENT",
        help="exit with 1 if fewer are killed",
    )
    options = parser.parse_args()
    files = chosen_files(options.file)
    if not files:
        sys.exit("mutate: nothing has changed; name files or folders of src/")
    copy_tree()
    configure()
    sources = {name: (TREE / name).read_text() for name in files}
    order = mutations.shuffled(sources, options.seed)
    # Some mutants do not compile; others take their place.
    check_unchanged({test_target(name) for name in sources})
    results = []
    began = time.monotonic()
    judged = 0
    for name, mutation in order:
        if judged == options.count:
            break
        verdict = verdict_on(name, sources[name], mutation)
        results.append((name, mutation, verdict))
        judged += verdict != "invalid"
        show(name, sources[name], mutation, verdict)
    spent = time.monotonic() - began
    enough = summarise(results, options.seed, options.least)
    say(f"{judged} of {options.count} mutants in {spent:.0f} s")
    sys.exit(0 if enough else 1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
