# SPDX-License-Identifier: MIT
"""What the command-line tests share: running the program, TAP output, reading points."""
import json
import os
import subprocess
import sys
import tempfile
import traceback

ROOT = os.environ.get("TS_SOURCE_ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(os.environ.get("TS_PROGRAM")
                          or os.path.join(os.environ.get("TS_BUILD_ROOT", "build"), "app", "trainscope"))


class Skip(Exception):
    pass


def run(*args, status=0, **kw):
    """Runs the program; checks the exit status; returns (stdout, stderr)."""
    done = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=120, **kw)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{args}: status {done.returncode}, not {status}\n{done.stdout}\n{done.stderr}")
    assert done.returncode >= 0, f"{args}: died of signal {-done.returncode}\n{done.stderr}"
    return done.stdout, done.stderr


def run_json(*args, status=0):
    return json.loads(run(*args, "--json", status=status)[0])


def train(*args, status=0):
    """Trains; returns the last JSON line."""
    out, _ = run("train", *args, "--json", status=status)
    end = json.loads(out.splitlines()[-1])
    assert end["event"] == "end", end
    return end


def points(workspace, run_name=None):
    """{(tag, step): [bits, …]} as the independent decoder reads them, the step rate left out."""
    decoder = os.path.join(ROOT, "tests", "store", "decode.py")
    out = subprocess.run([sys.executable, decoder, workspace], capture_output=True, text=True, check=True).stdout
    result = {}
    for line in out.splitlines():
        name, tag, _seq, step, _wall, bits, _attempt = line.rsplit(" ", 6)
        tag = bytes.fromhex(tag).decode()
        if tag != "steps_per_s" and (run_name is None or name == run_name):
            result.setdefault((tag, int(step)), []).append(bits)
    return result


def main(tests):
    wanted = sys.argv[1:]
    tests = [t for t in tests if not wanted or t.__name__ in wanted]
    print(f"1..{len(tests)}")
    failed = 0
    for number, test in enumerate(tests, 1):
        name = test.__name__
        try:
            with tempfile.TemporaryDirectory(prefix="trainscope-cli-") as folder:
                test(folder)
            print(f"ok {number} {name}", flush=True)
        except Skip as skip:
            print(f"ok {number} {name} # SKIP {skip}", flush=True)
        except Exception:
            failed = 1
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
            print(f"not ok {number} {name}", flush=True)
    sys.exit(failed)
