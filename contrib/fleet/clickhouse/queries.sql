-- Functions by their own cost, fleet-wide.
SELECT event, function, object, sum(samples) AS n, sum(weight) AS cost,
       uniqExact(capture) AS captures
FROM costs FINAL GROUP BY event, function, object ORDER BY cost DESC LIMIT 20;

-- The same by service, kernel and week: the first five of each.
SELECT c.service, c.kernel, c.week, function, sum(weight) AS cost
FROM costs AS k FINAL
JOIN (SELECT * FROM captures FINAL) AS c ON c.capture = k.capture
GROUP BY c.service, c.kernel, c.week, event, function
ORDER BY c.service, c.kernel, c.week, event, cost DESC
LIMIT 5 BY c.service, c.kernel, c.week, event;

-- Builds of an object that ran in two captures at least: what to compare.
SELECT object, build_id, min(c.started) AS since,
       uniqExact(k.capture) AS runs, sum(weight) AS cost
FROM costs AS k FINAL
JOIN (SELECT * FROM captures FINAL) AS c ON c.capture = k.capture
WHERE build_id <> '' GROUP BY object, build_id
HAVING runs > 1 ORDER BY cost DESC, object LIMIT 20;
