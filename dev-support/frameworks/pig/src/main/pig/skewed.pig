-- Skewed join and cogroup.
SET default_parallel 2;
visits = LOAD '$in/visits' AS (user:chararray, url:chararray, time:long, bytes:long);
users = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
pages = LOAD '$in/pages' AS (url:chararray, category:chararray, rank:int);
skewed = JOIN visits BY url, pages BY url USING 'skewed';
by_user = FOREACH skewed GENERATE visits::user AS user, rank AS rank;
both = COGROUP by_user BY user, users BY user INNER;
counts = FOREACH both GENERATE group, COUNT(by_user), SUM(by_user.rank);
STORE counts INTO '$out/both';
