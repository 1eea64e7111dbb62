#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up meson's test logs; prints the line that closes a test run.

usage: count-tests.py TESTLOG.json…

A TAP test counts with each of its cases, another one once.  Exit status 1 when something failed.
"""
import json
import re
import sys

passed = failed = skipped = 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            test = json.loads(line)
            cases = re.findall(r"^(not ok|ok)\b(.*)$", test.get("stdout", ""), re.M)
            bad = sum(1 for word, _ in cases if word == "not ok")
            skip = sum(1 for word, rest in cases if word == "ok" and re.search(r"#\s*SKIP", rest, re.I))
            good = len(cases) - bad - skip
            result = test["result"]
            if result == "SKIP" and not cases:
                skip = 1
            elif result not in ("OK", "SKIP", "EXPECTEDFAIL") and bad == 0:
                bad = 1  # crashed, timed out, or failed without TAP
                print(f"failed: {test['name']}: {result}")
            elif not cases and result == "OK":
                good = 1
            passed, failed, skipped = passed + good, failed + bad, skipped + skip
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)
