-- Tables, indexes, joins, changes, an integrity check. A number is put in place of $ROWS$.
PRAGMA journal_mode = delete;
PRAGMA synchronous = off;
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, weight REAL);
CREATE TABLE visit (person INTEGER REFERENCES person (id), place TEXT, year INTEGER, note BLOB);

BEGIN;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $ROWS$)
INSERT INTO person
SELECT i, printf('%s-%05d', substr('AdaBobCarDanEvaFay', 1 + i % 6 * 3, 3), i * 7919 % 100003),
	1900 + i * 31 % 120, 40 + (i * 17 % 600) / 10.0 FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3 * $ROWS$)
INSERT INTO visit
SELECT 1 + i * 7 % $ROWS$, substr('RomeParisLimaOsloBaku', 1 + i % 5 * 4, 5), 1950 + i % 70,
	CASE WHEN i % 9 THEN NULL ELSE zeroblob(i % 200) END FROM n;
COMMIT;

CREATE INDEX by_name ON person (name);
CREATE INDEX by_place ON visit (place, year);
CREATE INDEX by_person ON visit (person);
ANALYZE;

SELECT count(*), min(name), max(name), round(avg(weight), 6), sum(born) FROM person;
SELECT place, count(*), min(year), max(year), total(length(note)) FROM visit GROUP BY place ORDER BY place;
SELECT substr(name, 1, 3) AS first, count(*), count(DISTINCT place)
FROM person JOIN visit ON visit.person = person.id WHERE year > 1990 AND born < 1980
GROUP BY first ORDER BY first;
SELECT name, count(note) AS notes FROM person LEFT JOIN visit ON visit.person = person.id
GROUP BY person.id ORDER BY notes DESC, name LIMIT 5;
SELECT name, rank() OVER (PARTITION BY born ORDER BY weight, name) AS place FROM person
WHERE born IN (SELECT year FROM visit WHERE place = 'Lima' LIMIT 3) ORDER BY born, place LIMIT 10;
SELECT p.name, q.name FROM person p JOIN person q ON q.id = p.id + 1
WHERE p.name LIKE 'Ada%' AND q.weight > p.weight ORDER BY p.name LIMIT 5;
SELECT json_object('n', count(*), 'names', json_group_array(name)) FROM
	(SELECT name FROM person ORDER BY name LIMIT 5);

BEGIN;
UPDATE person SET weight = weight * 1.1, name = upper(name) WHERE id % 3 = 0;
DELETE FROM visit WHERE year < 1960;
SELECT count(*) FROM visit;
ROLLBACK;
SELECT count(*) FROM visit;
UPDATE person SET name = replace(name, '-', '/') WHERE born > 1990;
DELETE FROM visit WHERE note IS NULL AND year % 2;
CREATE TEMP TABLE t AS SELECT name, group_concat(place, '+') AS places FROM
	(SELECT name, place FROM person JOIN visit ON person = id ORDER BY name, place) GROUP BY name;
SELECT count(*), sum(length(places)), max(places) FROM t;
CREATE TRIGGER mark AFTER DELETE ON person BEGIN DELETE FROM visit WHERE person = old.id; END;
DELETE FROM person WHERE id % 10 = 0;
SELECT count(*) FROM visit;

CREATE VIRTUAL TABLE words USING fts5 (text);
INSERT INTO words SELECT name || ' went to ' || place FROM person JOIN visit ON person = id WHERE id < 300;
SELECT count(*) FROM words WHERE words MATCH 'lima AND ada';
CREATE VIRTUAL TABLE area USING rtree (id, x0, x1, y0, y1);
INSERT INTO area SELECT id, born, born + 1, weight, weight + 2 FROM person WHERE id < 300;
SELECT count(*), sum(id) FROM area WHERE x0 > 1950 AND x1 < 1990 AND y0 > 50;

VACUUM;
REINDEX;
PRAGMA integrity_check;
PRAGMA foreign_key_check;
SELECT count(*), sum(born) FROM person;
