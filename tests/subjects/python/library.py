# ruff: noqa: E501, F601, F811, RUF005
"""Calls of functions of the standard library, before and after all its functions have got probes; prints both."""

import bisect
import colorsys
import difflib
import fractions
import heapq
import json.decoder
import json.encoder
import json.scanner
import statistics
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, sys.argv[1])
from instrumented import Instrumented, import_file


def pure(name):
    """A module without what a compiled module would replace: its source up to where that is imported."""
    source = Path(sys.modules[name].__file__).read_text()
    source = source.replace("from _bisect import *", "raise ImportError").replace(
        "from _heapq import *", "raise ImportError"
    )
    for function in ("_heapreplace_max", "_heapify_max", "_heappop_max"):
        source = source.replace(f"from _heapq import {function}", "raise ImportError")
    path = Path(sys.argv[2]) / f"pure_{name.replace('.', '_')}.py"
    path.write_text(source)
    return import_file(path, path.stem)


bisect, heapq = pure("bisect"), pure("heapq")
F = fractions.Fraction
TEXT = "The quick (brown) fox — jumps over\tthe lazy dog.  It was not-so-lazy; was it?\n\n  Indented line\nend" * 3
WORDS = ["one", "two", "three", "four", "five", "six"]
DATA = [1, 2.5, 3, 4, 4, 5.75, 9, -3, 2]


def encode(value, **options):
    encoder = json.encoder.JSONEncoder(**options)
    markers = {}
    make = json.encoder._make_iterencode(
        markers,
        encoder.default,
        json.encoder.py_encode_basestring_ascii,
        encoder.indent,
        repr,
        encoder.key_separator,
        encoder.item_separator,
        encoder.sort_keys,
        encoder.skipkeys,
        False,
    )
    return "".join(make(value, 0))


def decode(text, **options):
    decoder = json.decoder.JSONDecoder(**options)
    decoder.parse_string = json.decoder.py_scanstring
    decoder.scan_once = json.scanner.py_make_scanner(decoder)
    return decoder.decode(text)


def heap(values):
    values = list(values)
    heapq.heapify(values)
    heapq.heappush(values, 3)
    first = heapq.heappushpop(values, 0), heapq.heapreplace(values, 7)
    return first, [heapq.heappop(values) for _ in range(len(values))]


def approximate(data):
    made = statistics.NormalDist.from_samples(data)
    return made.cdf(1), made.inv_cdf(0.3), made.overlap(statistics.NormalDist(1, 2)), made.quantiles(3), made == made


def table():
    difflib.HtmlDiff._default_prefix = 0  # counts the tables
    return difflib.HtmlDiff().make_table(WORDS, WORDS[2:], context=True)


def failing(x):
    return statistics.mean(x), statistics.median(x), statistics.mode(x)


CALLS = [
    *[(getattr(statistics, name), DATA) for name in ("mean", "fmean", "median", "median_low", "median_high", "pstdev")],
    *[(getattr(statistics, name), DATA) for name in ("median_grouped", "mode", "multimode", "stdev", "variance")],
    *[(getattr(statistics, name), []) for name in ("mean", "fmean", "median", "stdev", "mode", "multimode")],
    (statistics.mean, [F(1, 3), F(2, 3), 5]), (statistics.mean, ["a"]), (statistics.mean, [float("nan"), 1.0]),
    (statistics.variance, [float("inf"), 1.0]), (statistics.geometric_mean, [1, 2, 3]), (failing, [1, 1, "a"]),
    (statistics.geometric_mean, [1, -2]), (statistics.harmonic_mean, [1, 2], [2, 3]), (statistics.harmonic_mean, [-1]),
    (statistics.quantiles, DATA), (statistics.covariance, DATA, DATA[::-1]), (statistics.correlation, DATA, DATA),
    (statistics.linear_regression, DATA, [x * 2 + 1 for x in DATA]), (approximate, DATA), (approximate, [1]),
    (F, "3/4"), (F, "-1.5e-3"), (F, "x"), (F, 1, 0), (F, 0.1), (F, 3, F(2, 5)), (F, 1.5, 2),
    (lambda: F(22, 7).limit_denominator(3)), (lambda: (F(1, 3) + 1, F(1, 3) * 0.5, F(1, 3) ** 2, F(1, 3) ** -2)),
    (lambda: (F(1, 3) < 0.5, F(1, 3) == F(2, 6), F(7, 2) // 1, round(F(7, 2)), round(F(123, 7), 1), hash(F(1, 3)))),
    (lambda: (F(1, 3) < float("nan"), F(1, 3) == 1j, float(F(1, 3)), divmod(F(7, 2), F(1, 3)), bool(F(0)), -F(1, 2))),
    (lambda: F(1, 3) < "a"), (lambda: F(1, 2) / 0), (lambda: F(-8) ** F(1, 3)),
    *[(function, *color) for function in (colorsys.rgb_to_hls, colorsys.rgb_to_hsv, colorsys.hls_to_rgb,
                                          colorsys.hsv_to_rgb, colorsys.rgb_to_yiq, colorsys.yiq_to_rgb)
      for color in ((0.2, 0.4, 0.4), (0.5, 0.5, 0.5), (0.9, 0.1, 0.7), (0, 0, 0), (0.3, 0.8, 0.2), (0.7, 0.2, 1.5))],
    (colorsys.rgb_to_hls, "a", 1, 2),
    (textwrap.wrap, TEXT, 20), (textwrap.fill, TEXT, 33), (textwrap.shorten, TEXT, 30), (textwrap.dedent, "  a\n   b\n\n  c"),
    (textwrap.indent, "a\n\nb", "> "), (textwrap.wrap, TEXT, 0), (textwrap.TextWrapper(max_lines=2).wrap, TEXT),
    (textwrap.TextWrapper(10, fix_sentence_endings=True, break_long_words=False).wrap, TEXT), (textwrap.shorten, "abc", 1),
    *[(getattr(bisect, name), [1, 3, 3, 5], x) for name in ("bisect_left", "bisect_right") for x in (0, 3, 4, 9, "a")],
    (lambda: bisect.bisect([5, 3, 1], 2, key=lambda x: -x)), (bisect.insort, [1, 2], 0), (bisect.bisect, [1], 1, -1),
    (heap, DATA), (heap, [F(1, 3), 0.2, 1]), (heap, [1, "a"]), (heapq.nsmallest, 3, DATA), (heapq.nlargest, 2, WORDS, len),
    (lambda: list(heapq.merge([1, 4], [2, 3], [0]))), (lambda: list(heapq.merge([4, 1], [3], reverse=True, key=abs))),
    (encode, {"a": [1, 2.5, None, True, "é\n"], "b": {}, "c": []}), (encode, {1: 2, None: 3, True: [[]]}),
    (encode, [1], {"indent": "  "}), (encode, {(1,): 2}), (encode, {(1,): 2}, {"skipkeys": True}), (encode, [object()]),
    (decode, '{"a": [1, -2.5e3, null, true], "b\\u00e9\\ud83d\\ude00": {}}'), (decode, "[1, 2"), (decode, '{"a" 1}'),
    (decode, '"\\x"'), (decode, ""), (decode, '[NaN, Infinity, -Infinity, "tab\t"]'), (decode, "[1,]"), (decode, "[] 1"),
    (decode, '{"a": 1, }'), (decode, '"unfinished'),
    (difflib.get_close_matches, "tree", WORDS), (difflib.get_close_matches, "x", WORDS, -1),
    (lambda: list(difflib.ndiff(["a\n", "bcd\n", "e\n"], ["a\n", "bce\n", "f\n"]))),
    (lambda: list(difflib.unified_diff(WORDS, WORDS[1:] + ["x"], lineterm=""))),
    (lambda: list(difflib.context_diff(WORDS, WORDS[::-1]))),
    (lambda: difflib.SequenceMatcher(None, "private Thread", "private volatile").get_opcodes()),
    (lambda: difflib.SequenceMatcher(str.isspace, "a b " * 60, "b a" * 70).ratio()),
    (table,),
]  # fmt: skip


def results():
    done = []
    for entry in CALLS:
        function, *arguments = entry if isinstance(entry, tuple) else (entry,)
        options = {}
        if arguments and isinstance(arguments[-1], dict) and function is encode and len(arguments) > 1:
            options = arguments.pop()
        try:
            done.append(repr(function(*arguments, **options)))
        except Exception as error:
            done.append(f"{type(error).__name__}: {error}")
    return done


plain = results()
modules = [statistics, fractions, colorsys, textwrap, bisect, heapq, json.encoder, json.decoder, json.scanner, difflib]
made = [Instrumented(module, trace=0, ahead="ahead" in sys.argv, faults="faults" in sys.argv) for module in modules]
probed = results()
for one, other in zip(plain, probed, strict=True):
    if one != other:
        print("different:", one, other)
covered = sum(len(one.tracer.covered()) for one in made)
print(len(plain), sum(one.count for one in made), sum(len(one.sites) for one in made), covered)
