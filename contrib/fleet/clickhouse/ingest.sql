-- From the files of the map step, in the working directory, to the fleet's
-- tables, by way of tables in memory: some hundred captures at a time.  On a
-- server the files are in its user_files, or in a bucket:
-- s3('https://.../samples/*/part.parquet') instead of file(...).
CREATE OR REPLACE TABLE new_captures ENGINE = Memory AS
SELECT * FROM file('captures/*.json', JSONEachRow,
  'capture String, path String, service String, bytes Int64, started DateTime,
   week String, host String, kernel String, arch String, command String,
   cpus Int32, duration_ns Int64, samples Int64, tool String');

-- A row of a table is known by the capture and its number in it.
CREATE OR REPLACE TABLE new_frames ENGINE = Memory AS
SELECT cityHash64(capture, frame) AS id, symbol, object, level, capture
FROM file('frames/*/part.parquet', Parquet);

CREATE OR REPLACE TABLE new_symbols ENGINE = Memory AS
SELECT cityHash64(capture, symbol) AS id, name
FROM file('symbols/*/part.parquet', Parquet);

CREATE OR REPLACE TABLE new_objects ENGINE = Memory AS
SELECT cityHash64(capture, object) AS id, name, build_id
FROM file('objects/*/part.parquet', Parquet);

CREATE OR REPLACE TABLE new_threads ENGINE = Memory AS
SELECT cityHash64(capture, thread) AS id, comm
FROM file('threads/*/part.parquet', Parquet);

CREATE OR REPLACE TABLE new_events ENGINE = Memory AS
SELECT cityHash64(capture, event) AS id, name, unit
FROM file('events/*/part.parquet', Parquet);

CREATE OR REPLACE TABLE new_stacks ENGINE = Memory AS
SELECT cityHash64(capture, stack) AS id, cityHash64(capture, frame) AS frame
FROM file('stacks/*/part.parquet', Parquet);

CREATE OR REPLACE TABLE new_leaves ENGINE = Memory AS
SELECT capture, cityHash64(capture, event) AS event,
       cityHash64(capture, thread) AS thread,
       cityHash64(capture, stack) AS stack,
       toInt64(count()) AS samples, sum(weight) AS weight
FROM file('samples/*/part.parquet', Parquet)
GROUP BY capture, event, thread, stack;

INSERT INTO costs
SELECT l.capture, e.name, e.unit, t.comm, o.build_id, o.name, f.level, y.name,
       sum(l.samples), sum(l.weight)
FROM new_leaves AS l
JOIN new_events AS e ON e.id = l.event
LEFT JOIN new_threads AS t ON t.id = l.thread
JOIN new_stacks AS k ON k.id = l.stack
JOIN new_frames AS f ON f.id = k.frame
JOIN new_symbols AS y ON y.id = cityHash64(f.capture, f.symbol)
JOIN new_objects AS o ON o.id = cityHash64(f.capture, f.object)
WHERE l.capture IN (SELECT capture FROM new_captures)
GROUP BY l.capture, e.name, e.unit, t.comm, o.build_id, o.name, f.level,
         y.name;

INSERT INTO captures SELECT * FROM new_captures;
