-- Joins of both kinds, groups, orders, windows, a function of ours, and several tables from one reading.
ADD JAR ${jobs};
CREATE TEMPORARY FUNCTION host AS 'org.mammoth.frameworks.hive.Host';

SET hive.auto.convert.join=false;
INSERT OVERWRITE DIRECTORY '${out}/countries' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
SELECT u.country, COUNT(*), SUM(v.bytes) AS total, COUNT(DISTINCT v.user_name), MIN(u.age)
FROM visits v JOIN users u ON v.user_name = u.user_name
GROUP BY u.country HAVING COUNT(*) > 10 ORDER BY total DESC, country;

SET hive.auto.convert.join=true;
INSERT OVERWRITE DIRECTORY '${out}/hosts' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
SELECT lower(host(v.url)) AS name, p.category, SUM(v.bytes) AS total
FROM visits v JOIN pages p ON v.url = p.url
GROUP BY lower(host(v.url)), p.category ORDER BY name, category;

INSERT OVERWRITE DIRECTORY '${out}/windows' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
SELECT country, user_name, total, place FROM (
  SELECT u.country, v.user_name, SUM(v.bytes) AS total,
    ROW_NUMBER() OVER (PARTITION BY u.country ORDER BY SUM(v.bytes) DESC, v.user_name) AS place
  FROM visits v JOIN users u ON v.user_name = u.user_name GROUP BY u.country, v.user_name) ranked
WHERE place <= 3 ORDER BY country, place;

INSERT OVERWRITE DIRECTORY '${out}/semi' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
SELECT u.age, COUNT(*) FROM users u
WHERE u.user_name IN (SELECT v.user_name FROM visits v WHERE v.bytes > 85000) GROUP BY u.age ORDER BY u.age;

FROM users
INSERT OVERWRITE DIRECTORY '${out}/multi_young' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
  SELECT country, COUNT(*) WHERE age < 30 GROUP BY country
INSERT OVERWRITE DIRECTORY '${out}/multi_old' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
  SELECT country, COUNT(*) WHERE age > 60 GROUP BY country;
