-- Skewed and outer joins, cogroup, union, distinct and limit.
SET default_parallel 2;
visits = LOAD '$in/visits' AS (user:chararray, url:chararray, time:long, bytes:long);
users = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
pages = LOAD '$in/pages' AS (url:chararray, category:chararray, rank:int);

matched = JOIN visits BY user LEFT OUTER, users BY user;
strangers = FILTER matched BY users::user IS NULL;
names = FOREACH strangers GENERATE visits::user AS name;
unknown = DISTINCT names;
STORE unknown INTO '$out/unknown';

skewed = JOIN visits BY url, pages BY url USING 'skewed';
by_user = FOREACH skewed GENERATE visits::user AS user, rank AS rank;
both = COGROUP by_user BY user, users BY user INNER;
counts = FOREACH both GENERATE group, COUNT(by_user), SUM(by_user.rank);
STORE counts INTO '$out/both';

young = FILTER users BY age < 20;
old = FILTER users BY age > 80;
either = UNION young, old;
ordered = ORDER either BY age, user;
first = LIMIT ordered 50;
STORE first INTO '$out/sample';
