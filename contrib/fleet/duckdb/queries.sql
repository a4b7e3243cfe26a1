-- Functions by their own cost, fleet-wide.
SELECT event, function, object, sum(samples)::BIGINT AS samples,
       sum(weight)::BIGINT AS weight, count(DISTINCT capture) AS captures
FROM costs GROUP BY ALL ORDER BY weight DESC LIMIT 20;

-- The same by service, kernel and week: the first five of each.
WITH parts AS (
  SELECT c.service, c.kernel, c.week, event, function,
         sum(weight)::BIGINT AS weight
  FROM costs JOIN captures c USING (capture)
  GROUP BY c.service, c.kernel, c.week, event, function)
SELECT *, weight / sum(weight) OVER part AS share
FROM parts
WINDOW part AS (PARTITION BY service, kernel, week, event)
QUALIFY row_number() OVER (PARTITION BY service, kernel, week, event
                           ORDER BY weight DESC, function) <= 5
ORDER BY service, kernel, week, event, weight DESC;

-- Builds of an object that ran in two captures at least: what to compare.
SELECT object, build_id, min(c.started) AS since,
       count(DISTINCT capture) AS captures, sum(weight)::BIGINT AS weight
FROM costs JOIN captures c USING (capture)
WHERE build_id <> '' GROUP BY object, build_id
HAVING count(DISTINCT capture) > 1 ORDER BY weight DESC, object LIMIT 20;
