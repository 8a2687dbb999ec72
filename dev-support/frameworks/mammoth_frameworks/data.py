# SPDX-License-Identifier: Apache-2.0
"""What the frameworks read: visits of web pages, users, pages, ratings, words, texts and a graph; the same on every machine."""

import hashlib
import json
import os
import random

COUNTRIES = ("AT", "BR", "CA", "CN", "DE", "ES", "FI", "FR", "GB", "IN", "IT", "JP", "KE", "MX", "NL", "NO", "PL", "SE", "US", "ZA")
CATEGORIES = ("news", "sport", "music", "film", "science", "travel", "food", "games")
USERS = 2_000
PAGES = 600
HOSTS = 60
#: Lines of each of the files of visits; more files than one make jobs of more than one map.
VISITS = 40_000
VISIT_FILES = 2
RATINGS = 12_000
TEXTS = 60
#: Files of words for who makes a map of each.
WORD_FILES = 2
#: Vertices of the graph, which is written in three ways, each in as many files.
VERTICES = 3_000
GRAPH_FILES = 2

_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xy", "za")


def version():
    """Tells the output of one edition of this file from another's."""
    with open(__file__, "rb") as source:
        return hashlib.sha256(source.read()).hexdigest()[:8]


def _user(number):
    return f"user{number:05}"


def _page(number):
    return f"http://www{number % HOSTS}.Example.org/page/{number}"


def _skewed(rng, bound):
    """Small numbers are frequent, as users and pages are."""
    return min(int(rng.paretovariate(0.8)) - 1, bound - 1) if rng.random() < 0.5 else rng.randrange(bound)


def _visit(rng, number):
    # One in a hundred is by somebody unknown, one in two hundred of a page nobody lists.
    user = _user(_skewed(rng, USERS)) if rng.random() > 0.01 else f"guest{number % 17}"
    page = _page(_skewed(rng, PAGES)) if rng.random() > 0.005 else f"http://elsewhere.example.net/{number % 5}"
    return f"{user}\t{page}\t{1_700_000_000 + number * 3}\t{rng.randrange(200, 90_000)}"


def _word(rng):
    return "".join(rng.choice(_SYLLABLES) for _ in range(1 + _skewed(rng, 4)))


def _write(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in lines)


def _graph(folder):
    """A directed graph as JSON, [number, value, [[other, weight], ...]], and as lines of numbers; and the same with all edges both ways."""
    rng = random.Random(23)
    edges = [{} for _ in range(VERTICES)]
    both = [set() for _ in range(VERTICES)]
    for number in range(VERTICES):
        # Islands of a hundred vertices, and one of all the rest: more than one component.
        low, high = (number // 100 * 100, number // 100 * 100 + 100) if number % 1_000 < 300 else (0, VERTICES)
        for _ in range(rng.randrange(1, 5)):
            other = rng.randrange(low, high)
            if other != number and (high == VERTICES) == (other % 1_000 >= 300):
                edges[number][other] = rng.randrange(1, 20)
                both[number].add(other)
                both[other].add(number)
    for part in range(GRAPH_FILES):
        numbers = range(part, VERTICES, GRAPH_FILES)
        weighted = ([number, 0, [[other, edges[number][other]] for other in sorted(edges[number])]] for number in numbers)
        _write(os.path.join(folder, "graph-json", f"part{part}.txt"), [json.dumps(line, separators=(",", ":")) for line in weighted])
        for name, others in (("graph-lines", edges), ("graph-both", both)):
            lines = ("\t".join(map(str, (number, *sorted(others[number])))) for number in numbers)
            _write(os.path.join(folder, name, f"part{part}.txt"), lines)


def generate(folder):
    """Writes visits/, users/, pages/, ratings/, words/, texts/ and graph-*/ below a folder of this machine."""
    rng = random.Random(19)
    for part in range(VISIT_FILES):
        _write(
            os.path.join(folder, "visits", f"part{part}.txt"),
            [_visit(rng, part * VISITS + line) for line in range(VISITS)],
        )
    _write(
        os.path.join(folder, "users", "users.txt"),
        [f"{_user(n)}\t{rng.choice(COUNTRIES)}\t{rng.randrange(14, 90)}" for n in range(USERS)],
    )
    _write(
        os.path.join(folder, "pages", "pages.txt"),
        [f"{_page(n)}\t{rng.choice(CATEGORIES)}\t{rng.randrange(1, 11)}" for n in range(PAGES)],
    )
    seen = {(_skewed(rng, 300), _skewed(rng, 150)) for _ in range(RATINGS)}
    _write(
        os.path.join(folder, "ratings", "ratings.csv"),
        [f"{user},{item},{1 + (user * 7 + item * 13) % 5}" for user, item in sorted(seen)],
    )
    for part in range(WORD_FILES):
        words = [_word(rng) for _ in range(800)]
        lines = (" ".join(words[_skewed(rng, len(words))] for _ in range(12)) for _ in range(5_000))
        _write(os.path.join(folder, "words", f"words{part}.txt"), lines)
    for number in range(TEXTS):
        topic = random.Random(number % 5)
        words = [_word(topic) for _ in range(30)]
        _write(
            os.path.join(folder, "texts", f"text{number:03}.txt"),
            [" ".join(rng.choice(words) if rng.random() < 0.7 else _word(rng) for _ in range(12)) for _ in range(10)],
        )
    _graph(folder)
