#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the program starts: the command line without GTK and without a display, the window by word."""
import os
import subprocess
import sys
import tempfile

PROGRAM = os.environ["TS_PROGRAM"]
HAVE_WINDOW = os.environ["TS_HAVE_WINDOW"] == "true"


def run(*args, display=None, cwd=None):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "BROADWAY_DISPLAY")}
    if display:
        env["DISPLAY"] = display
    return subprocess.run([PROGRAM, *args], capture_output=True, text=True, timeout=60, env=env, cwd=cwd)


def test_no_gtk_linked():
    out = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    assert "libsqlite3" in out, out
    for library in ("libgtk", "libadwaita", "libgtksourceview", "libopenblas"):
        assert library not in out, library


def test_help():
    done = run("--help", display=":99999")
    assert done.returncode == 0 and "trainscope [WORKSPACE|LOGDIR]" in done.stdout, done


def test_without_display():
    done = run()
    assert done.returncode == 2 and "usage: trainscope" in done.stdout, done
    with tempfile.TemporaryDirectory() as folder:
        done = run(os.path.join(folder, "w.trainscope"))
        assert done.returncode == 2 and "no display" in done.stderr, done
        assert os.listdir(folder) == []


def test_unknown_word():
    done = run("fly", display=":99999")
    assert done.returncode == 2 and "unknown command 'fly'" in done.stderr, done


def test_bad_display():
    """A display that does not answer is said in words."""
    with tempfile.TemporaryDirectory() as folder:
        done = run("w.trainscope", display=":99999", cwd=folder)
        assert done.returncode in (1, 2) and "no display" in done.stderr, done
        assert os.listdir(folder) == []


def main():
    tests = [test_no_gtk_linked, test_help, test_without_display, test_unknown_word, test_bad_display]
    print(f"1..{len(tests)}")
    failed = 0
    for number, test in enumerate(tests, 1):
        try:
            if test is test_bad_display and not HAVE_WINDOW:
                print(f"ok {number} {test.__name__} # SKIP built without the window")
                continue
            test()
            print(f"ok {number} {test.__name__}")
        except AssertionError as error:
            failed += 1
            print(f"not ok {number} {test.__name__}\n# {error!r}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
