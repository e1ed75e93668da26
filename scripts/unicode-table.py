#!/usr/bin/env python3.11
"""Writes src/processor/text/unicode-14.ts: the code points from U+007F on that Python 3.11 (Unicode 14.0) prints as escapes. Prints
the digest of repr over all code points, which test/processor/text/python-repr.test.ts compares.

Run it with Python 3.11: python3.11 scripts/unicode-table.py
"""

import hashlib
import pathlib
import sys
import unicodedata

FIRST = 0x7F
END = 0x110000
WIDTH = 120
TARGET = pathlib.Path(__file__).parent.parent / "src" / "processor" / "text" / "unicode-14.ts"

HEAD = """/**
 * The code points from U+007F on that Python 3.11 does not print as they are, Unicode 14.0. Written by
 * scripts/unicode-table.py from str.isprintable; never edited.
 */

/** Ranges in ascending order, as pairs of the first and the last code point. */
"""


def non_printable_bounds():
    bounds = []
    inside = False
    for code_point in range(FIRST, END + 1):
        outside_table = code_point == END or chr(code_point).isprintable()
        if inside and outside_table:
            bounds.append(code_point - 1)
        elif not inside and not outside_table:
            bounds.append(code_point)
        inside = not outside_table
    return bounds


def filled(numbers):
    lines = []
    line = " "
    for number in numbers:
        entry = f" 0x{number:x},"
        if len(line) + len(entry) > WIDTH:
            lines.append(line)
            line = " "
        line += entry
    return "\n".join([*lines, line])


def digest_of_all_reprs():
    digest = hashlib.sha1()
    for code_point in range(END):
        if not 0xD800 <= code_point < 0xE000:
            digest.update(repr(chr(code_point)).encode())
            digest.update(repr("'" + chr(code_point)).encode())
    return digest.hexdigest()


def main():
    if sys.version_info[:2] != (3, 11) or unicodedata.unidata_version != "14.0.0":
        sys.exit(f"needs Python 3.11 with Unicode 14.0.0, got {sys.version} with {unicodedata.unidata_version}")
    body = f"export const NON_PRINTABLE: readonly number[] = [\n{filled(non_printable_bounds())}\n];\n"
    TARGET.write_text(HEAD + body)
    print(digest_of_all_reprs())


main()
