"""Small deliberate bugs in C++ source: finds where they fit and makes them."""

import dataclasses
import random
import re


@dataclasses.dataclass(frozen=True)
class Mutation:
    """One change of a file: `text` replaces the characters [start, end)."""

    kind: str
    line: int  # from 1
    start: int
    end: int
    text: str


# Comments, strings and preprocessor lines hold nothing to mutate.
_NOT_CODE = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)"
      | "(?:\\.|[^"\\\n])*"
      | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'
      | ^[ \t]*\#(?:\\\n|[^\n])*""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)



def _other_fraction(text: str) -> str:
    return text + " * 2" if float(text) else "1.0"


# kind, pattern of the code, replacement. Blanks around an operator tell it
# from a template bracket, a reference or a sign: the code is formatted.
_RULES = [
    ("boundary", r"(?<= )<(?= )", "<="),
    ("boundary", r"(?<= )<=(?= )", "<"),
    ("boundary", r"(?<= )>(?= )", ">="),
    ("boundary", r"(?<= )>=(?= )", ">"),
    ("operator", r"(?<= )==(?= )", "!="),
    ("operator", r"(?<= )!=(?= )", "=="),
    ("operator", r"(?<= )&&(?= )", "||"),
    ("operator", r"(?<= )\|\|(?= )", "&&"),
    ("operator", r"(?<=[\w)\]] )\+(?= )", "-"),
    ("operator", r"(?<=[\w)\]] )-(?= )", "+"),
    ("operator", r"(?<=[\w)\]] )/(?= )", "*"),
    ("operator", r"(?<= )\+=(?= )", "-="),
    ("operator", r"\bstd::min\(", "std::max("),
    ("operator", r"\bstd::max\(", "std::min("),
    ("constant", r"(?<![\w.'])(?<!e[-+])(\d+)(?![\w.'])", lambda m: str(int(m[1]) + 1)),
    ("constant", r"(?<![\w.'])(\d+\.\d+)(?![\w.'])", lambda m: _other_fraction(m[1])),
    ("constant", r"\btrue\b", "false"),
    ("constant", r"\bfalse\b", "true"),
    # A guard is a condition that ends the function or the round of a loop.
    (
        "guard",
        r"\bif \((?!constexpr)(?=[^\n]*\) (?:return|continue|break)\b)",
        "if (false) if (",
    ),
    ("guard", r"\bRETURN_IF_ERROR\(", "static_cast<void>("),
    (
        "lock",
        r"\bstd::(?:lock_guard|scoped_lock|unique_lock)(?:<[^>]*>)? \w+\(\w+\);",
        "",
    ),
]

# Changes here do not compile or cannot change what the program does.
_FUTILE = re.compile(
    r"""^\s*(?:namespace|using|template|\}|public:|private:)
      | static_assert | = default | = delete
      | \breserve\(
      | \bCHECK | \bassert\(
      | ^\s*case\s""",
    re.VERBOSE,
)


def _code_only(source: str) -> str:
    """The source with blanks in place of everything that is not code."""

    def blank(match: re.Match) -> str:
        return re.sub(r"[^\n]", "\0", match[0])

    return _NOT_CODE.sub(blank, source)


def find(source: str) -> list[Mutation]:
    """Every mutation of the rules, in the order of the source."""
    code = _code_only(source)
    starts = [0] + [m.end() for m in re.finditer("\n", code)]
    lines = code.split("\n")
    found = []
    for number, (start, line) in enumerate(zip(starts, lines), 1):
        if _FUTILE.search(line):
            continue
        for kind, pattern, replacement in _RULES:
            for match in re.finditer(pattern, line):
                text = replacement
                if callable(replacement):
                    text = replacement(match)
                found.append(
                    Mutation(
                        kind,
                        number,
                        start + match.start(),
                        start + match.end(),
                        text,
                    )
                )
    return sorted(found, key=lambda one: (one.start, one.text))


def apply(source: str, mutation: Mutation) -> str:
    """The source with the mutation made."""
    return source[: mutation.start] + mutation.text + source[mutation.end :]


def shuffled(by_file: dict[str, str], seed: int) -> list[tuple[str, Mutation]]:
    """All mutations of the files in a random order that takes turns between
    folders, between the files of a folder and between kinds, so that neither
    a long file nor a frequent kind crowds out the others."""
    chance = random.Random(seed)
    folders: dict[str, list[list[tuple[str, Mutation]]]] = {}
    for name in sorted(by_file):
        kinds: dict[str, list[tuple[str, Mutation]]] = {}
        for mutation in find(by_file[name]):
            kinds.setdefault(mutation.kind, []).append((name, mutation))
        for same_kind in kinds.values():
            chance.shuffle(same_kind)
        queue = _take_turns(list(kinds.values()), chance)
        if queue:
            folders.setdefault(name.rpartition("/")[0], []).append(queue)
    return _take_turns(
        [_take_turns(files, chance) for files in folders.values()], chance
    )


def _take_turns(queues: list[list], chance: random.Random) -> list:
    """One from every queue, then a second one from each, and so on."""
    queues = [list(queue) for queue in queues]
    taken = []
    while queues:
        chance.shuffle(queues)
        for queue in queues:
            taken.append(queue.pop(0))
        queues = [queue for queue in queues if queue]
    return taken
