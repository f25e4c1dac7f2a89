"""Measures how well unit tests notice bugs: ./dev mutate.

Puts small bugs into source files, one at a time, and runs the unit tests of the
file's folder. A bug that no test notices has survived. Only a copy is changed:
it is compiled and linked ahead of the folder's library in build/mutate.

Some mutants cannot be noticed because the program does the same as before. A
person lists those in tools/mutate/equivalent.txt, and others take their place.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutations

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/mutants"
EQUIVALENT = ROOT / "tools/mutate/equivalent.txt"
# Folders of src/ that are include roots, so that targets are named without them.
GROUPS = ("base", "math", "core", "workloads", "verbs", "frontends")
# Limit for tests that pass without a mutation. A mutant gets five times as long
# as they took, but at least LEAST_SECONDS.
TEST_SECONDS = 300
LEAST_SECONDS = 30


class Stopped(Exception):
    """The run ends before this mutant is judged."""


def run(command, **options):
    if not isinstance(command, str):
        command = [str(part) for part in command]
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        # With autogroups the kernel shares the processor between sessions.
        start_new_session=True,
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


def configure(folder, targets, batches):
    """Batches save time except in the folders whose files are mutated."""
    names = [] if batches else [name.removesuffix("_test") for name in targets]
    one_by_one = ";".join(sorted(names))
    command = [
        "cmake", "-S", ROOT, "-B", folder, f"-DMETE_UNITY_EXCEPT={one_by_one}"
    ]  # fmt: skip
    if not (folder / "CMakeCache.txt").is_file():
        command += [
            "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", "-DMETE_UNITY=ON",
            "-DMETE_BENCH=OFF", "-DMETE_WERROR=OFF",
        ]  # fmt: skip
    done = run(command)
    if done.returncode != 0:
        sys.exit("mutate: configuring failed\n" + done.stdout[-2000:])


def known_targets(folder):
    """The names of all targets of a build folder."""
    listed = run(["ninja", "-C", folder, "-t", "targets", "all"])
    return {line.split(":")[0] for line in listed.stdout.split("\n")}


def leave_out_untested(mutants, targets):
    """Removes folders without unit tests from the mutants and names them."""
    for target in sorted(set(mutants) - targets):
        names = [pathlib.PurePath(name) for name, _ in mutants.pop(target)]
        for folder in sorted({str(name.parent) for name in names}):
            say(f"mutate: {folder} has no unit tests and is left out")


def build(folder, target):
    say(f"mutate: building {target}")
    built = run(["ninja", "-C", folder, target])
    if built.returncode != 0:
        raise RuntimeError(f"{target} does not compile\n{built.stdout[-2000:]}")


def compile_commands(folder):
    """How each source is compiled, by its path below the root."""
    database = json.loads((folder / "compile_commands.json").read_text())
    return {
        os.path.relpath(one["file"], ROOT): shlex.split(one["command"])
        for one in database
    }


def batch_with(name, commands):
    """The batch that includes a source, for sources that are not compiled alone."""
    for batch in commands:
        path = ROOT / batch
        if "/Unity/" in str(path) and f'"{ROOT / name}"' in path.read_text():
            return batch
    raise RuntimeError(f"{name} is not compiled")


def link_command(folder, target):
    """How the tests are linked: the compiler's arguments."""
    last = run(["ninja", "-C", folder, "-t", "commands", f"tests/{target}"])
    command = last.stdout.strip().split("\n")[-1]
    return shlex.split(command.removeprefix(": && ").removesuffix(" && :"))


def with_output(command, output):
    command = list(command)
    command[command.index("-o") + 1] = str(output)
    return command


def ended_well(process, seconds, stop):
    """Waits for a process. Returns whether it ended in time and with 0."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if stop.is_set():
            raise Stopped
        try:
            return process.wait(0.5) == 0
        except subprocess.TimeoutExpired:
            pass
    return False


def passes(program, seconds, stop):
    """Whether the tests pass. A mutant that never ends does not."""
    with tempfile.TemporaryDirectory(prefix="mete-mutant-") as temporary:
        environment = {
            **os.environ,
            "GTEST_FAIL_FAST": "1",
            "TMPDIR": temporary,
            "TEST_TMPDIR": temporary,
        }
        # A session of its own: a mutant may leave processes behind.
        with subprocess.Popen(
            [str(program)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
            cwd=temporary,
        ) as process:
            try:
                return ended_well(process, seconds, stop)
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass


class Folder:
    """The mutants of one folder of src/, judged one after the other."""

    def __init__(self, mutants, sources, build_folder, stop):
        self.mutants = mutants
        self.sources = sources
        self.build_folder = build_folder
        self.stop = stop  # is set when the run ends early
        self.target = test_target(mutants[0][0])
        self.seconds = TEST_SECONDS
        self.results = []

    def prepare(self):
        build(self.build_folder, self.target)
        self.compile = compile_commands(self.build_folder)
        self.link = link_command(self.build_folder, self.target)

    def check_unchanged(self):
        """Fails unless the tests pass with an unchanged copy of a file."""
        name = self.mutants[0][0]
        program = self.program_with(name, self.sources[name])
        began = time.monotonic()
        if program is None or not passes(program, TEST_SECONDS, self.stop):
            raise RuntimeError(f"{self.target} fails without any mutation")
        self.seconds = max(LEAST_SECONDS, 5 * (time.monotonic() - began))

    def program_with(self, name, text):
        """The tests with `text` in place of a file, or None if it is no C++."""
        work = WORK / self.target
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        source = work / pathlib.PurePath(name).name
        source.write_text(text)
        compiled_as = name
        if name not in self.compile:
            compiled_as = batch_with(name, self.compile)
            batch = (ROOT / compiled_as).read_text()
            batch = batch.replace(f'"{ROOT / name}"', f'"{source}"')
            source = work / "batch.cxx"
            source.write_text(batch)
        compiled = with_output(self.compile[compiled_as], work / "mutant.o")
        compiled[compiled.index("-c") + 1] = str(source)
        # Nothing is compiled twice: do not fill the cache.
        environment = {**os.environ, "CCACHE_DISABLE": "1"}
        # A mutant may leave something unused, which is only a warning.
        done = run([*compiled, "-w"], cwd=self.build_folder, env=environment)
        if done.returncode != 0:
            return None
        # The linker takes a member of an archive only for undefined symbols, so
        # that the mutant replaces the original.
        linked = with_output(self.link, work / self.target)
        linked.insert(linked.index("-o"), str(work / "mutant.o"))
        done = run(linked, cwd=self.build_folder)
        return work / self.target if done.returncode == 0 else None

    def verdict_on(self, name, mutation):
        """killed, survived, or invalid when it does not compile."""
        text = mutations.apply(self.sources[name], mutation)
        program = self.program_with(name, text)
        if program is None:
            return "invalid"
        passed = passes(program, self.seconds, self.stop)
        return "survived" if passed else "killed"

    def judge(self, count, equivalent):
        """Invalid and equivalent mutants do not count: others take their place."""
        self.check_unchanged()
        for name, mutation in self.mutants:
            if count == 0 or self.stop.is_set():
                break
            change = (name, *changed_lines(self.sources[name], mutation))
            if is_listed(change, mutation.line, self.sources[name], equivalent):
                verdict = "equivalent"
            else:
                verdict = self.verdict_on(name, mutation)
            count -= verdict in ("killed", "survived")
            self.results.append((name, verdict))
            show(change, mutation, verdict)


def changed_lines(source, mutation):
    mutated = mutations.apply(source, mutation)
    return tuple(
        text.split("\n")[mutation.line - 1].strip() for text in (source, mutated)
    )


def show(change, mutation, verdict):
    name, before, after = change
    text = f"{verdict} {name}:{mutation.line} ({mutation.kind})"
    if verdict in ("survived", "equivalent"):
        text += f"\n  - {before}\n  + {after}"
    say(text)


def listed_changes(text, verdict):
    """The changes with a verdict in a text as printed by show(), and the lines
    where they were made."""
    pattern = rf"^{verdict} ([^:\n]+):(\d+)[^\n]*\n  - ([^\n]*)\n  \+ ([^\n]*)$"
    changes = collections.defaultdict(set)
    for name, line, before, after in re.findall(pattern, text, re.MULTILINE):
        changes[name, before, after].add(int(line))
    return changes


def is_listed(change, line, source, listed):
    """Whether a change of a line is listed. Line numbers may be out of date, but
    where the source repeats a line, only its number tells which one is meant."""
    if change not in listed:
        return False
    lines = [one.strip() for one in source.split("\n")]
    return line in listed[change] or lines.count(change[1]) == 1


def summarise(results, seed, least):
    """Prints a line per folder. Returns whether the share is large enough."""
    folders = collections.defaultdict(collections.Counter)
    for name, verdict in results:
        folders[name.rpartition("/")[0]][verdict] += 1
    total = collections.Counter()
    say(
        f"\n{'folder':<24} {'mutants':>7} {'killed':>6} {'share':>5} "
        f"{'survived':>8} {'equivalent':>10}"
    )
    for folder, counts in sorted(folders.items()) + [("all", total)]:
        killed, survived = counts["killed"], counts["survived"]
        mutants = killed + survived
        share = f"{100 * killed / mutants:.0f} %" if mutants else ""
        say(
            f"{folder:<24} {mutants:>7} {killed:>6} {share:>5} "
            f"{survived:>8} {counts['equivalent']:>10}"
        )
        total.update(counts)
    mutants = total["killed"] + total["survived"]
    say(f"seed {seed}; {total['invalid']} more did not compile")
    return mutants > 0 and 100 * total["killed"] >= least * mutants


def parse_options():
    parser = argparse.ArgumentParser(
        prog="./dev mutate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="*", help="source files or folders")
    parser.add_argument(
        "--count", type=int, default=20, help="mutants, shared by the folders (20)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument(
        "--jobs", type=int, default=2, help="folders judged at a time (2)"
    )
    parser.add_argument(
        "--least",
        type=float,
        default=0,
        metavar="PERCENT",
        help="exit with 1 if fewer are killed",
    )
    parser.add_argument(
        "--survivors",
        metavar="FILE",
        type=pathlib.Path,
        help="try only those that survived in this output of an earlier run",
    )
    parser.add_argument(
        "--build",
        metavar="FOLDER",
        type=pathlib.Path,
        default=ROOT / "build/mutate",
        help="build here; build/release saves time where it is up to date",
    )
    parser.add_argument(
        "--batches",
        action="store_true",
        help="compile a mutant with its batch: slower, but nothing is built anew",
    )
    options = parser.parse_args()
    options.build = options.build.resolve()
    return options


def chosen_mutants(sources, options):
    """Mutants by folder, in the order in which to try them."""
    only = None
    if options.survivors:
        only = listed_changes(options.survivors.read_text(), "survived")
    folders = collections.defaultdict(list)
    for name, mutation in mutations.shuffled(sources, options.seed):
        change = (name, *changed_lines(sources[name], mutation))
        if only is None or is_listed(change, mutation.line, sources[name], only):
            folders[test_target(name)].append((name, mutation))
    return folders


def judge_all(folders, judge, jobs, stop):
    """Builds one folder after the other and judges those that are built. A
    folder that fails does not keep the others from being judged. Returns
    whether none failed."""
    broken = []
    judged = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            for folder in folders:
                try:
                    folder.prepare()
                except RuntimeError as error:
                    broken.append(error)
                else:
                    judged.append(pool.submit(judge, folder))
            concurrent.futures.wait(judged)
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    broken += [one.exception() for one in judged if one.exception()]
    for error in broken:
        say(f"mutate: {error}")
    return not broken


def judge_and_summarise(mutants, sources, options):
    """Prints what was judged even if the run is interrupted. Returns whether
    everything was judged and enough mutants were killed."""
    began = time.monotonic()
    stop = threading.Event()
    folders = [
        Folder(some, sources, options.build, stop) for some in mutants.values()
    ]
    count = -(-options.count // len(folders))
    if options.survivors:
        count = max(len(some) for some in mutants.values())
    equivalent = listed_changes(EQUIVALENT.read_text(), "equivalent")
    whole = False
    try:
        whole = judge_all(
            folders,
            lambda folder: folder.judge(count, equivalent),
            options.jobs,
            stop,
        )
    finally:
        results = [result for folder in folders for result in folder.results]
        enough = summarise(results, options.seed, options.least)
        say(f"built and judged in {time.monotonic() - began:.0f} s")
        if not whole:
            say("mutate: not everything was judged")
    return whole and enough


def main():
    options = parse_options()
    files = chosen_files(options.file)
    if not files:
        sys.exit("mutate: nothing has changed; name files or folders of src/")
    sources = {name: (ROOT / name).read_text() for name in files}
    mutants = chosen_mutants(sources, options)
    if not mutants:
        sys.exit("mutate: no mutation fits these files")
    configure(options.build, mutants, options.batches)
    leave_out_untested(mutants, known_targets(options.build))
    if not mutants:
        sys.exit(2)
    sys.exit(0 if judge_and_summarise(mutants, sources, options) else 1)


def interrupt(*_):
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupt)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
