-- The tables and views of `coldperf sql`, for DuckDB on a snapshot:
--   mkdir case && tar xf case.cold -C case && cd case
--   duckdb -init .../contrib/duckdb/tables.sql
-- The questions of docs/SQL.md have the same answers here and there.  Tables
-- have the columns that docs/SQL.md tells; what is not known is NULL.
SET default_null_order = 'nulls_first_on_asc_last_on_desc';
SET integer_division = true;

CREATE MACRO known(x) AS nullif(x, -1);
CREATE MACRO code(x) AS printf('0x%016x',
  (x::HUGEINT + CASE WHEN x < 0 THEN 18446744073709551616 ELSE 0 END)::UBIGINT);

CREATE VIEW samples AS
SELECT row_number() OVER () - 1 AS id, known(time_ns) AS time, weight, event,
       known(thread) AS thread, known(cpu) AS cpu, nullif(stack, 0) AS stack,
       nullif(context, 0) AS context
FROM 'samples.parquet';

CREATE VIEW events AS
SELECT event AS id, name, unit, type, code(config) AS config,
       CASE WHEN freq = 0 THEN nullif(period, 0) END AS period,
       CASE WHEN freq = 1 THEN nullif(period, 0) END AS frequency,
       clock, complete, samples, weight, lost, lost_samples, throttled
FROM 'events.parquet';

CREATE VIEW threads AS
SELECT thread AS id, known(pid) AS pid, known(tid) AS tid,
       nullif(comm, '') AS name, nullif(process, '') AS process,
       known(start_ns) AS started, known(end_ns) AS ended
FROM 'threads.parquet';

CREATE VIEW stacks AS
SELECT stack AS id, nullif(parent, 0) AS parent, nullif(frame, 0) AS frame
FROM 'stacks.parquet' WHERE stack <> 0;

CREATE VIEW symbols AS
SELECT symbol AS id, nullif(name, '') AS name, nullif(raw, '') AS raw,
       nullif(object, 0) AS object, code("start") AS low, code("end") AS high,
       nullif(source, '') AS source, nullif(trust, '') AS trust
FROM 'symbols.parquet' WHERE symbol <> 0;

CREATE VIEW frames AS
SELECT f.frame AS id, nullif(f.object, 0) AS object,
       nullif(f.symbol, 0) AS symbol, code(addr) AS address,
       code(known(vaddr)) AS vaddr,
       CASE WHEN f.symbol <> 0 AND code(addr) >= code(y."start")
            THEN addr - y."start" END AS symbol_offset,
       nullif(f.level, '') AS level,
       CASE WHEN flags & 16 <> 0 THEN 'scan'
            WHEN flags & 32 <> 0 THEN 'edge'
            WHEN flags & 2 <> 0 THEN 'pointer' END AS guess
FROM 'frames.parquet' f LEFT JOIN 'symbols.parquet' y ON y.symbol = f.symbol
WHERE f.frame <> 0;

CREATE VIEW spots AS
SELECT row_number() OVER () - 1 AS id, frame, nullif(symbol, 0) AS symbol,
       nullif(file, '') AS file, nullif(line, 0) AS line,
       nullif("column", 0) AS col
FROM 'spots.parquet';

CREATE VIEW objects AS
SELECT object AS id, nullif(name, '') AS name, nullif(kind, '') AS kind,
       nullif(level, '') AS level, nullif(build_id, '') AS build_id,
       nullif(source, '') AS source, nullif(trust, '') AS trust,
       known(pid) AS pid, nullif(file, '') AS file
FROM 'objects.parquet' WHERE object <> 0;

CREATE VIEW contexts AS
SELECT context AS id, nullif(cgroup, '') AS cgroup,
       nullif(unwound, '') AS unwound, nullif(object, 0) AS object
FROM 'contexts.parquet' WHERE context <> 0;

CREATE VIEW marks AS
SELECT row_number() OVER () - 1 AS id, known(time_ns) AS time,
       known(thread) AS thread, known(cpu) AS cpu, kind, "count",
       nullif(text, '') AS text
FROM 'marks.parquet';

CREATE VIEW states AS
SELECT row_number() OVER () - 1 AS id, known(thread) AS thread,
       known(from_ns) AS began, known(to_ns) AS ended, known(cpu) AS cpu,
       nullif(state, 'unknown') AS state, nullif(stack, 0) AS stack,
       known(waker) AS waker, nullif(reason, '') AS reason
FROM 'states.parquet';

CREATE VIEW quality AS
SELECT key AS name,
       CASE WHEN share <> 0 THEN share ELSE "count" END AS value
FROM 'quality.parquet';

-- The functions of each stack, innermost first: those that were inlined at a
-- frame, then the one that has the code.
CREATE TABLE stack_functions AS
WITH RECURSIVE up(stack, node, level) AS (
  SELECT stack, stack, 0 FROM 'stacks.parquet' WHERE stack <> 0
 UNION ALL
  SELECT up.stack, k.parent, level + 1
  FROM up JOIN 'stacks.parquet' k ON k.stack = up.node WHERE k.parent <> 0),
parts AS (
  SELECT f.frame, coalesce(s.depth, 0) AS part,
         coalesce(s.symbol, f.symbol) AS symbol, s.file, s.line,
         coalesce(s.depth, 0) > 0 AS inlined
  FROM 'frames.parquet' f LEFT JOIN 'spots.parquet' s ON s.frame = f.frame)
SELECT up.stack,
       row_number() OVER (PARTITION BY up.stack ORDER BY up.level, p.part DESC)
         - 1 AS depth,
       p.frame, nullif(p.symbol, 0) AS symbol, nullif(p.file, '') AS file,
       nullif(p.line, 0) AS line, p.inlined::INT AS inlined
FROM up JOIN 'stacks.parquet' k ON k.stack = up.node
JOIN parts p ON p.frame = k.frame;

CREATE TABLE stack_sums AS
SELECT event, stack, count(*) AS samples, sum(weight) AS weight
FROM samples GROUP BY event, stack ORDER BY event, stack;

CREATE TABLE function_sums AS
WITH named AS (
  SELECT f.stack, f.symbol, coalesce(y.object, r.object) AS object,
         min(f.depth) = 0 AS top
  FROM stack_functions f JOIN frames r ON r.id = f.frame
  LEFT JOIN symbols y ON y.id = f.symbol
  GROUP BY ALL),
every AS (
  SELECT stack, symbol, object, top FROM named
 UNION ALL
  SELECT NULL, NULL, NULL, true)
SELECT s.event, f.symbol, f.object,
       sum(CASE WHEN f.top THEN s.samples ELSE 0 END) AS self_samples,
       sum(CASE WHEN f.top THEN s.weight ELSE 0 END) AS self_weight,
       sum(s.samples) AS samples, sum(s.weight) AS weight
FROM stack_sums s JOIN every f ON f.stack IS NOT DISTINCT FROM s.stack
GROUP BY ALL;

CREATE VIEW self AS
SELECT e.name AS event, f.name AS symbol, o.name AS object,
       s.self_samples AS samples, s.self_weight AS weight
FROM function_sums s JOIN events e ON e.id = s.event
LEFT JOIN symbols f ON f.id = s.symbol LEFT JOIN objects o ON o.id = s.object
WHERE s.self_samples > 0
ORDER BY s.event, s.self_weight DESC, f.name, o.name;

CREATE VIEW total AS
SELECT e.name AS event, f.name AS symbol, o.name AS object,
       s.samples, s.weight
FROM function_sums s JOIN events e ON e.id = s.event
LEFT JOIN symbols f ON f.id = s.symbol LEFT JOIN objects o ON o.id = s.object
ORDER BY s.event, s.weight DESC, f.name, o.name;

CREATE VIEW timeline AS
SELECT e.name AS event,
       (s.time - (SELECT min(time) FROM samples)) // 1000000000 AS second,
       count(*) AS samples, sum(s.weight) AS weight
FROM samples s JOIN events e ON e.id = s.event WHERE s.time IS NOT NULL
GROUP BY s.event, e.name, second ORDER BY s.event, second;

CREATE VIEW waits AS
SELECT s.thread, t.name, s.reason, count(*) AS times,
       sum(s.ended - s.began) AS ns
FROM states s LEFT JOIN threads t ON t.id = s.thread
WHERE s.state = 'blocked'
GROUP BY s.thread, t.name, s.reason ORDER BY ns DESC, s.thread, s.reason;
