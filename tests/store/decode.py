#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second reader of the run file, written from docs/run-file.md alone.

usage: decode.py FILE: prints "run tag seq step wall bits attempt" of every scalar, in that order.
"""
import sqlite3
import struct
import sys

TABLE = []
for i in range(256):
    for _ in range(8):
        i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
    TABLE.append(i)


def check(data, crc):
    c = 0xFFFFFFFF
    for byte in data:
        c = c >> 8 ^ TABLE[(c ^ byte) & 255]
    if c ^ 0xFFFFFFFF != crc:
        sys.exit("decode.py: a checksum does not fit")


def widen(f):
    sign, exponent, mantissa = f >> 31 << 63, f >> 23 & 255, f & 0x7FFFFF
    if exponent == 255:
        return sign | 0x7FF << 52 | mantissa << 29
    return struct.unpack("<Q", struct.pack("<d", struct.unpack("<f", struct.pack("<I", f))[0]))[0]


def signed(u):
    return u - (1 << 64) if u >> 63 else u


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def fixed(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size:self.at], "little")

    def varint(self):
        value = shift = 0
        while True:
            byte = self.fixed(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def zigzag(self):
        v = self.varint()
        return v >> 1 if v % 2 == 0 else (1 << 64) - (v + 1 >> 1)


def log_row(data):
    b = Bytes(data)
    assert b.fixed(1) == 1
    while b.at < len(data):
        series, seq, n, flags = b.varint(), b.varint(), b.varint(), b.fixed(1)
        step = wall = 0
        for i in range(n):
            step = (step + b.zigzag()) % (1 << 64)
            wall = b.fixed(8) if flags & 2 else (wall + b.zigzag()) % (1 << 64)
            bits = widen(b.fixed(4)) if flags & 1 else b.fixed(8)
            yield series, seq + i, step, wall, bits, flags >> 1


def chunk(data, n):
    b = Bytes(data)
    codec, narrow, kind, _, own_n = b.fixed(1), b.fixed(1), b.fixed(1), b.fixed(1), b.fixed(4)
    assert codec == 1 and own_n == n and len(data) == 8 + n * (20 if narrow else 24)
    steps = [b.fixed(8) for _ in range(n)]
    walls = [b.fixed(8) for _ in range(n)]
    for step, wall in zip(steps, walls):
        yield step, wall, widen(b.fixed(4)) if narrow else b.fixed(8), kind


def main():
    db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    attempts = dict(db.execute("SELECT attempt_id, ordinal FROM attempt"))
    points = {}
    for series, seq, attempt, n, crc, data in db.execute(
            "SELECT series_id, seq, attempt_id, n, crc, data FROM chunk"):
        check(data, crc)
        for i, point in enumerate(chunk(data, n)):
            points[series, seq + i] = (*point, attempts[attempt])
    sealed = dict(db.execute("SELECT series_id, next_seq FROM series"))
    for attempt, crc, data in db.execute("SELECT attempt_id, crc, data FROM flush_log"):
        check(data, crc)
        for series, seq, *point in log_row(data):
            if seq >= sealed[series]:
                points[series, seq] = (*point, attempts[attempt])
    for series, run, tag in db.execute(
            "SELECT series_id, run.name, CAST(tag.name AS BLOB) FROM series JOIN run USING(run_id)"
            " JOIN tag USING(tag_id) WHERE kind = 0 ORDER BY series_id").fetchall():
        seq = 0
        while (series, seq) in points:
            step, wall, bits, kind, attempt = points.pop((series, seq))
            wall = f"{wall:016x}" if kind else signed(wall)
            print(run, tag.hex(), seq, signed(step), wall, f"{bits:016x}", attempt)
            seq += 1
    if points:
        sys.exit("decode.py: there is a gap")


if __name__ == "__main__":
    main()
