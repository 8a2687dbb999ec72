-- Files in columns, read and written, and partitions that queries make.
INSERT OVERWRITE DIRECTORY '${out}/orc' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
SELECT user_name, COUNT(*), MAX(seen) FROM visits_orc WHERE bytes BETWEEN 40000 AND 50000 GROUP BY user_name ORDER BY user_name;

INSERT OVERWRITE DIRECTORY '${out}/parquet' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
SELECT url, AVG(bytes), COUNT(DISTINCT user_name) FROM visits_parquet GROUP BY url ORDER BY url;

CREATE EXTERNAL TABLE by_country (user_name STRING, bytes BIGINT) PARTITIONED BY (country STRING) STORED AS ORC;
INSERT OVERWRITE TABLE by_country PARTITION (country)
SELECT v.user_name, SUM(v.bytes), u.country FROM visits_orc v JOIN users u ON v.user_name = u.user_name
GROUP BY v.user_name, u.country;

INSERT OVERWRITE DIRECTORY '${out}/partitions' ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t'
SELECT country, COUNT(*), SUM(bytes) FROM by_country WHERE country < 'G' GROUP BY country ORDER BY country;
