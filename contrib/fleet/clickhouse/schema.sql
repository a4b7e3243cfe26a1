-- The fleet's tables.  A capture that is read twice has the same rows, and
-- only one of each stays.
CREATE TABLE IF NOT EXISTS captures (
  capture String, path String, service LowCardinality(String), bytes Int64,
  started DateTime('UTC'), week LowCardinality(String),
  host LowCardinality(String), kernel LowCardinality(String),
  arch LowCardinality(String), command String, cpus Int32,
  duration_ns Int64, samples Int64, tool LowCardinality(String))
ENGINE = ReplacingMergeTree ORDER BY capture;

-- What each function of a capture cost by itself.
CREATE TABLE IF NOT EXISTS costs (
  capture String, event LowCardinality(String), unit LowCardinality(String),
  comm LowCardinality(String), build_id LowCardinality(String),
  object LowCardinality(String), level LowCardinality(String),
  function String, samples Int64, weight Int64)
ENGINE = ReplacingMergeTree
ORDER BY (function, object, build_id, level, event, unit, comm, capture);
