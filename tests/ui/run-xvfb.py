#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program on a virtual X display of its own.

usage: run-xvfb.py PROGRAM [ARGUMENT...]

Starts Xvfb on a display that is free (-noreset: the server stays when its first client leaves),
renders with Cairo so that pixels are the same everywhere, keeps settings and state in a folder that
is thrown away, and ends Xvfb in any case.  Without Xvfb it prints a TAP line that says the tests are
skipped.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile


def start_server(size):
    """(process, display) of a server that has told its display number."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.kill()
        sys.exit("run-xvfb.py: Xvfb did not start")
    return server, ":" + number


def main():
    if not shutil.which("Xvfb"):
        print("1..0 # SKIP Xvfb is not installed, so no window can be opened")
        return 0
    server, display = start_server(os.environ.get("XVFB_SCREEN", "1400x900x24"))
    home = tempfile.mkdtemp(prefix="trainscope-ui-")
    env = dict(os.environ, DISPLAY=display, GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="test",
               GSETTINGS_BACKEND="memory", NO_AT_BRIDGE="1", HOME=home)
    for name, folder in (("STATE", "state"), ("DATA", "data"), ("CONFIG", "config"), ("CACHE", "cache")):
        env[f"XDG_{name}_HOME"] = os.path.join(home, folder)
    env.pop("WAYLAND_DISPLAY", None)
    env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"  # no bus, and none is launched
    try:
        program = subprocess.Popen(sys.argv[1:], env=env)
        signal.signal(signal.SIGTERM, lambda *_: program.terminate())
        return program.wait()
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
