#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The real program, its window as a module, and real keys: E, S, Space, Ctrl+. and Ctrl+W.

Run by run-xvfb.py.  A key may come before the window listens, so each is pressed until its effect
can be seen from outside, by the command line.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["TS_PROGRAM"]
LIMIT_S = 60


def first_run(path):
    done = subprocess.run([PROGRAM, "runs", path, "--json"], capture_output=True, text=True)
    runs = json.loads(done.stdout) if done.returncode == 0 else []
    return runs[0] if runs else None


def press(key, seen):
    """Presses @key until seen() holds."""
    end = time.monotonic() + LIMIT_S
    while not seen():
        assert time.monotonic() < end, f"{key} did nothing"
        subprocess.run(["xdotool", "key", key], check=True)
        for _ in range(20):
            if seen():
                return
            time.sleep(.1)


def test_whole_way(folder):
    path = os.path.join(folder, "w.trainscope")
    window = subprocess.Popen([PROGRAM, path])
    try:
        press("e", lambda: first_run(path) is not None)
        assert first_run(path)["points"] == 0, "E must wait"
        press("s", lambda: first_run(path)["points"] > 0)
        press("space", lambda: first_run(path)["points"] > 50)
        # spirals may be through by now; if not, it is stopped by the closing
        press("ctrl+w", lambda: window.poll() is not None)
        assert window.returncode == 0, window.returncode
        assert first_run(path)["state"] in ("stopped", "finished"), first_run(path)
        assert not os.path.exists(path + "-wal") or os.path.getsize(path + "-wal") == 0
    finally:
        if window.poll() is None:
            window.kill()


def test_stop(folder):
    path = os.path.join(folder, "w2.trainscope")
    window = subprocess.Popen([PROGRAM, path])
    try:
        press("e", lambda: first_run(path) is not None)
        press("s", lambda: first_run(path)["points"] > 0)
        press("ctrl+period", lambda: first_run(path)["state"] == "stopped")
        window.terminate()
        assert window.wait(LIMIT_S) == 0
    finally:
        if window.poll() is None:
            window.kill()


def main():
    tests = [test_whole_way, test_stop]
    if not shutil.which("xdotool"):
        print("1..0 # SKIP xdotool is not installed, so no key can be pressed")
        return 0
    print(f"1..{len(tests)}")
    failed = 0
    for number, test in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(folder)
                print(f"ok {number} {test.__name__}", flush=True)
            except AssertionError as error:
                failed += 1
                print(f"not ok {number} {test.__name__}\n# {error}", flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
