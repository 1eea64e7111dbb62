#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of things that live one per file.

usage: gen-table.py OUTPUT HEADER TYPE SYMBOL PREFIX FILE...

FILE `.../op-softmax-xent.c` with SYMBOL `ts_op` and PREFIX `op-` must define
`const TYPE ts_op_softmax_xent`; the output defines the NULL-ended, name-ordered array
`const TYPE *const SYMBOL_table[]`.
"""
import os
import sys


def main():
    output, header, kind, symbol, prefix, *files = sys.argv[1:]
    names = []
    for path in files:
        stem = os.path.splitext(os.path.basename(path))[0]
        if not stem.startswith(prefix):
            sys.exit(f"gen-table.py: {path} does not start with {prefix}")
        names.append(stem[len(prefix):].replace("-", "_"))
    names.sort()
    lines = ["/* Made by tools/gen-table.py from the list of files. */", f'#include "{header}"', ""]
    lines += [f"extern const {kind} {symbol}_{name};" for name in names]
    lines += ["", f"const {kind} *const {symbol}_table[] = {{"]
    lines += [f"  &{symbol}_{name}," for name in names]
    lines += ["  NULL,", "};", ""]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
