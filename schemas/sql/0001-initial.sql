-- SPDX-License-Identifier: MIT
-- Trainscope workspace, version 1 (SQLite >= 3.37 for STRICT).  One file is one workspace.
-- The bytes inside every blob and the rules between the tables: docs/run-file.md.
-- Time columns named *_us are microseconds since the epoch, UTC.

CREATE TABLE meta(                  -- uuid, created_us, writer_app, min_reader_version
  key TEXT PRIMARY KEY NOT NULL, value ANY) STRICT, WITHOUT ROWID;

CREATE TABLE run(
  run_id INTEGER PRIMARY KEY,       -- small local id, used everywhere in this file
  uuid BLOB NOT NULL UNIQUE CHECK(length(uuid) = 16), -- global id
  parent_run_id INTEGER REFERENCES run ON DELETE SET NULL,
  name TEXT NOT NULL,
  state INTEGER NOT NULL,           -- 0 running 1 finished 2 failed 3 stopped 5 imported 6 paused
  created_us INTEGER NOT NULL, ended_us INTEGER,
  message TEXT,                     -- why it failed
  model_name TEXT, model_text TEXT,
  data_name TEXT, data_hash TEXT, data_split TEXT,
  seed INTEGER, isa TEXT, blas_core TEXT, blas_version TEXT, threads INTEGER,
  color INTEGER, pinned INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0,
  trashed_us INTEGER,               -- NULL: live
  note TEXT) STRICT;
CREATE UNIQUE INDEX run_by_name ON run(name) WHERE trashed_us IS NULL;
CREATE INDEX run_by_created ON run(created_us);
CREATE INDEX run_by_parent ON run(parent_run_id) WHERE parent_run_id IS NOT NULL;

CREATE TABLE run_tag(
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, tag TEXT NOT NULL,
  PRIMARY KEY(run_id, tag)) STRICT, WITHOUT ROWID;

CREATE TABLE hparam(                -- flattened dotted keys
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, key TEXT NOT NULL,
  kind INTEGER NOT NULL,            -- 0 null 1 integer (i) 2 real (r, bits) 3 text (t) 4 boolean (i)
  i INTEGER, r REAL,
  bits INTEGER,                     -- IEEE bits of a real: r cannot hold NaN or -0.0
  t TEXT, PRIMARY KEY(run_id, key)) STRICT, WITHOUT ROWID;
CREATE INDEX hparam_by_key ON hparam(key, r, i, run_id);

CREATE TABLE attempt(               -- one start or resume of a run, or one imported event file
  attempt_id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,         -- 0, 1, 2 .. within the run
  writer BLOB,                      -- 16 random bytes of the writer; the same as in a live lock
  started_us INTEGER NOT NULL, ended_us INTEGER,
  resume_step INTEGER,              -- first step this attempt may write: hides those of earlier ones
  by_series INTEGER NOT NULL DEFAULT 0, -- 1: hides, series by series, from its own lowest step on
  host TEXT, pid INTEGER, origin TEXT,
  thinned INTEGER NOT NULL DEFAULT 0, -- histograms dropped because the writer could not keep up
  UNIQUE(run_id, ordinal)) STRICT;

CREATE TABLE recorder_price(        -- what each recorder cost the training
  attempt_id INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE, name TEXT NOT NULL,
  calls INTEGER NOT NULL, spent_us INTEGER NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY(attempt_id, name)) STRICT, WITHOUT ROWID;

CREATE TABLE tag(                   -- 'train/loss', stored once per file
  tag_id INTEGER PRIMARY KEY,
  name ANY NOT NULL UNIQUE CHECK(typeof(name) IN ('text', 'blob'))) STRICT; -- blob: not UTF-8

CREATE TABLE series(
  series_id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  tag_id INTEGER NOT NULL REFERENCES tag,
  kind INTEGER NOT NULL,            -- 0 scalar 1 histogram 2 image 3 text 4 audio 5 tensor
  next_seq INTEGER NOT NULL DEFAULT 0, -- points in chunks (items) so far; smaller seqs are sealed
  lod_seq INTEGER NOT NULL DEFAULT 0, -- points covered by lod
  flags INTEGER NOT NULL DEFAULT 0, -- 1 steps went back or stood still, 2 has NaN or infinity
  -- the head: exact over the first n = next_seq points, refreshed when they are sealed
  n INTEGER NOT NULL DEFAULT 0,
  first_step INTEGER, last_step INTEGER, min_step INTEGER, max_step INTEGER, last_us INTEGER,
  first_bits INTEGER, last_bits INTEGER, -- IEEE bits
  min_bits INTEGER, max_bits INTEGER, sum_bits INTEGER, -- over the finite values, in seq order
  finite INTEGER NOT NULL DEFAULT 0, nan INTEGER NOT NULL DEFAULT 0,
  pos_inf INTEGER NOT NULL DEFAULT 0, neg_inf INTEGER NOT NULL DEFAULT 0,
  last_value REAL, min_value REAL, max_value REAL, -- of the bits, for sorting; NULL for NaN
  meta TEXT,
  UNIQUE(run_id, tag_id, kind)) STRICT;
CREATE INDEX series_by_tag ON series(tag_id, kind, run_id);

CREATE TABLE flush_log(             -- redo log of the unsealed: one row per commit and attempt
  flush_id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused: readers poll flush_id > last
  attempt_id INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
  us INTEGER NOT NULL, n INTEGER NOT NULL, crc INTEGER NOT NULL, data BLOB NOT NULL) STRICT;

CREATE TABLE chunk(                 -- columnar points; only a series' last chunk is ever rewritten
  series_id INTEGER NOT NULL REFERENCES series ON DELETE CASCADE,
  seq INTEGER NOT NULL,             -- ordinal of the first point
  attempt_id INTEGER NOT NULL,      -- no foreign key: without an index it would make deletes scan
  n INTEGER NOT NULL CHECK(n BETWEEN 1 AND 65536),
  step_min INTEGER NOT NULL, step_max INTEGER NOT NULL,
  us_min INTEGER, us_max INTEGER,   -- rounded; NULL when no time is finite
  vmin REAL, vmax REAL,             -- NULL when no value is finite
  nonfinite INTEGER NOT NULL,
  codec INTEGER NOT NULL, crc INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY(series_id, seq)) STRICT; -- a rowid table: big rows do not belong in index pages

CREATE TABLE lod(                   -- derived, may be dropped: buckets of 64 * 16^(level-1) points
  series_id INTEGER NOT NULL REFERENCES series ON DELETE CASCADE,
  level INTEGER NOT NULL, idx INTEGER NOT NULL,
  n INTEGER NOT NULL, crc INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY(series_id, level, idx)) STRICT;

CREATE TABLE blob(                  -- content-addressed payloads
  blob_id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32), -- SHA-256
  size INTEGER NOT NULL, parts INTEGER NOT NULL, codec INTEGER NOT NULL DEFAULT 0,
  complete INTEGER NOT NULL DEFAULT 0) STRICT; -- 1 only from the last part's transaction on
CREATE TABLE blob_part(             -- 1 MiB each, but for the last
  blob_id INTEGER NOT NULL REFERENCES blob ON DELETE CASCADE, idx INTEGER NOT NULL,
  crc INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(blob_id, idx)) STRICT;

CREATE TABLE item(                  -- samples that are not scalars
  series_id INTEGER NOT NULL REFERENCES series ON DELETE CASCADE, seq INTEGER NOT NULL,
  attempt_id INTEGER NOT NULL, step INTEGER NOT NULL,
  wall INTEGER NOT NULL,            -- us, or the IEEE bits of seconds when wall_kind is 1
  wall_kind INTEGER NOT NULL DEFAULT 0,
  slot INTEGER NOT NULL DEFAULT 0, meta TEXT,
  codec INTEGER NOT NULL, crc INTEGER, inline_data BLOB, blob_id INTEGER REFERENCES blob,
  PRIMARY KEY(series_id, seq), CHECK((inline_data IS NULL) = (crc IS NULL)),
  CHECK((inline_data IS NULL) <> (blob_id IS NULL))) STRICT;
CREATE INDEX item_by_step ON item(series_id, step, seq);
CREATE INDEX item_by_blob ON item(blob_id) WHERE blob_id IS NOT NULL;

CREATE TABLE graph(
  graph_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  name TEXT NOT NULL,
  format INTEGER NOT NULL,          -- 0 JSON 1 GraphDef 2 Keras JSON 3 RunMetadata
  blob_id INTEGER NOT NULL REFERENCES blob, UNIQUE(run_id, name)) STRICT;
CREATE INDEX graph_by_blob ON graph(blob_id);

CREATE TABLE checkpoint(
  checkpoint_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  attempt_id INTEGER NOT NULL, step INTEGER NOT NULL, epoch INTEGER NOT NULL, us INTEGER NOT NULL,
  kind INTEGER NOT NULL,            -- 0 periodic 1 final
  is_best INTEGER NOT NULL, metric REAL, metric_bits INTEGER NOT NULL,
  size INTEGER NOT NULL, sha256 BLOB NOT NULL CHECK(length(sha256) = 32),
  path TEXT,                        -- relative to WORKSPACE.d/
  blob_id INTEGER REFERENCES blob,  -- or packed inside
  pinned INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX checkpoint_by_run ON checkpoint(run_id, step);
CREATE INDEX checkpoint_by_blob ON checkpoint(blob_id) WHERE blob_id IS NOT NULL;

CREATE TABLE event(                 -- messages of a training
  event_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  attempt_id INTEGER NOT NULL, us INTEGER NOT NULL, step INTEGER,
  severity INTEGER NOT NULL,        -- 0 info 1 warning 2 error
  text TEXT NOT NULL) STRICT;
CREATE INDEX event_by_run ON event(run_id, us);

CREATE TABLE edit(                  -- live changes of a hyperparameter
  edit_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  attempt_id INTEGER NOT NULL, us INTEGER NOT NULL, step INTEGER NOT NULL,
  key TEXT NOT NULL, from_bits INTEGER NOT NULL, to_bits INTEGER NOT NULL) STRICT;
CREATE INDEX edit_by_run ON edit(run_id, us);

CREATE TABLE saved_view(            -- saved views and layouts of the window
  view_id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL,
  created_us INTEGER NOT NULL, changed_us INTEGER NOT NULL, UNIQUE(kind, name)) STRICT;

CREATE TABLE import_source(         -- followed event files, committed with the points they produced
  source_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  attempt_id INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
  path TEXT NOT NULL, dev INTEGER, inode INTEGER,
  offset INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER, head_crc INTEGER NOT NULL,
  bad_records INTEGER NOT NULL DEFAULT 0, UNIQUE(path, inode)) STRICT;
