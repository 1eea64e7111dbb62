#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes text files as C strings.  usage: embed.py OUTPUT HEADER SYMBOL=FILE..."""
import sys


def main():
    output, header, *pairs = sys.argv[1:]
    lines = ["/* Made by data/store/embed.py. */", f'#include "{header}"']
    for pair in pairs:
        symbol, path = pair.split("=", 1)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        lines += ["", f"const char {symbol}[] ="]
        for line in text.splitlines(keepends=True) or [""]:
            quoted = line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            lines.append(f'  "{quoted}"')
        lines[-1] += ";"
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
