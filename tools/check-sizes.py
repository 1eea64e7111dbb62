#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of at most 700 lines, functions of at most 80; about 400 and 40 is what we aim at.

    check-sizes.py [ROOT]

Prints FILE:LINE: what is too long, one a line; status 1 if there is anything.  What is only longer
than we aim at is counted at the end."""
import ast
import os
import re
import sys

FILE_WALL, FILE_AIM = 700, 400
FUNCTION_WALL, FUNCTION_AIM = 80, 40
C_ENDINGS = (".c", ".h", ".inc")
OTHER_ENDINGS = (".sql", ".sh", ".css", ".ui")
NAME = re.compile(r"^(\w+)\s*\(")


def sources(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in ("shared", "node_modules", "__pycache__")
                            and not f.startswith((".", "build")))
        for name in sorted(files):
            if name.endswith(C_ENDINGS + OTHER_ENDINGS + (".py",)):
                yield os.path.relpath(os.path.join(folder, name), root)


def c_functions(lines):
    """(name, first line, last line): by our format the name begins a line, and so do both braces."""
    name, start, inside = None, 0, False
    for number, line in enumerate(lines, 1):
        found = NAME.match(line)
        if not inside and found:
            name, start = found.group(1), number
        elif not inside and line.startswith("{") and name:
            inside = True
        elif inside and line.startswith("}"):
            yield name, start, number
            name, inside = None, False
        elif not inside and line.startswith("}"):
            name = None


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno


def functions(path, text):
    if path.endswith(".py"):
        return python_functions(text)
    return c_functions(text.splitlines()) if path.endswith(C_ENDINGS) else ()


def check(root):
    problems, long_files, long_functions = [], 0, 0
    for path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
            text = f.read()
        lines = len(text.splitlines())
        if lines > FILE_WALL:
            problems.append(f"{path}:1: {lines} lines; at most {FILE_WALL}: split it by concern")
        long_files += lines > FILE_AIM
        for name, first, last in functions(path, text):
            length = last - first + 1
            if length > FUNCTION_WALL:
                problems.append(f"{path}:{first}: {name} has {length} lines; at most {FUNCTION_WALL}")
            long_functions += length > FUNCTION_AIM
    note = f"{long_files} files over {FILE_AIM} lines, {long_functions} functions over {FUNCTION_AIM}"
    return problems, note


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    problems, note = check(root)
    for problem in problems:
        print(problem)
    print(f"# {note}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
