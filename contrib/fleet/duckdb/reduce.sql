-- The reduce step on one machine.  Run where the map step's FOLDER is the
-- working directory:  duckdb fleet.duckdb <reduce.sql
-- Tables of a capture are joined within it; captures whose row is missing were
-- not finished by the map step and do not count.
CREATE OR REPLACE TABLE captures AS
SELECT * FROM read_json('captures/*.json', columns = {
  capture: 'VARCHAR', path: 'VARCHAR', service: 'VARCHAR', bytes: 'BIGINT',
  started: 'TIMESTAMP', week: 'VARCHAR', host: 'VARCHAR', kernel: 'VARCHAR',
  arch: 'VARCHAR', command: 'VARCHAR', cpus: 'INTEGER',
  duration_ns: 'BIGINT', samples: 'BIGINT', tool: 'VARCHAR'});

-- A row for what each function of a capture cost by itself.  No number of a
-- capture is left in it: the key is names and build IDs, so that hosts and
-- boots merge.
CREATE OR REPLACE TABLE costs AS
WITH leaf AS (
  SELECT capture, event, thread, stack,
         count(*) AS samples, sum(weight) AS weight
  FROM read_parquet('samples/*/*.parquet', hive_partitioning = true)
  GROUP BY ALL)
SELECT l.capture, e.name AS event, e.unit, coalesce(t.comm, '') AS comm,
       o.build_id, o.name AS object, f.level, y.name AS function,
       sum(l.samples)::BIGINT AS samples, sum(l.weight)::BIGINT AS weight
FROM leaf l
SEMI JOIN captures c ON c.capture = l.capture
JOIN read_parquet('events/*/*.parquet', hive_partitioning = true) e
  ON e.capture = l.capture AND e.event = l.event
LEFT JOIN read_parquet('threads/*/*.parquet', hive_partitioning = true) t
  ON t.capture = l.capture AND t.thread = l.thread
JOIN read_parquet('stacks/*/*.parquet', hive_partitioning = true) k
  ON k.capture = l.capture AND k.stack = l.stack
JOIN read_parquet('frames/*/*.parquet', hive_partitioning = true) f
  ON f.capture = l.capture AND f.frame = k.frame
JOIN read_parquet('symbols/*/*.parquet', hive_partitioning = true) y
  ON y.capture = l.capture AND y.symbol = f.symbol
JOIN read_parquet('objects/*/*.parquet', hive_partitioning = true) o
  ON o.capture = l.capture AND o.object = f.object
GROUP BY ALL;

-- The same with all that a function called.  A function that calls itself
-- counts once for a stack.
CREATE OR REPLACE TABLE totals AS
WITH RECURSIVE leaf AS (
  SELECT capture, event, stack, count(*) AS samples, sum(weight) AS weight
  FROM read_parquet('samples/*/*.parquet', hive_partitioning = true)
  GROUP BY ALL),
nodes AS MATERIALIZED (
  SELECT k.capture, k.stack, k.parent, f.symbol, f.object
  FROM read_parquet('stacks/*/*.parquet', hive_partitioning = true) k
  JOIN read_parquet('frames/*/*.parquet', hive_partitioning = true) f
    ON f.capture = k.capture AND f.frame = k.frame),
up(capture, stack, node) AS (
  SELECT DISTINCT capture, stack, stack FROM leaf
 UNION ALL
  SELECT up.capture, up.stack, n.parent
  FROM up JOIN nodes n ON n.capture = up.capture AND n.stack = up.node
  WHERE n.parent <> 0),
has AS (
  SELECT DISTINCT up.capture, up.stack, n.symbol, n.object
  FROM up JOIN nodes n ON n.capture = up.capture AND n.stack = up.node)
SELECT l.capture, e.name AS event, e.unit, o.build_id, o.name AS object,
       y.name AS function,
       sum(l.samples)::BIGINT AS samples, sum(l.weight)::BIGINT AS weight
FROM leaf l
SEMI JOIN captures c ON c.capture = l.capture
JOIN has h ON h.capture = l.capture AND h.stack = l.stack
JOIN read_parquet('events/*/*.parquet', hive_partitioning = true) e
  ON e.capture = l.capture AND e.event = l.event
JOIN read_parquet('symbols/*/*.parquet', hive_partitioning = true) y
  ON y.capture = l.capture AND y.symbol = h.symbol
JOIN read_parquet('objects/*/*.parquet', hive_partitioning = true) o
  ON o.capture = l.capture AND o.object = h.object
GROUP BY ALL;
