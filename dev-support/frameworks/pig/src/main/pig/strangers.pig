-- Outer join and distinct.
SET default_parallel 2;
visits = LOAD '$in/visits' AS (user:chararray, url:chararray, time:long, bytes:long);
users = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
matched = JOIN visits BY user LEFT OUTER, users BY user;
strangers = FILTER matched BY users::user IS NULL;
names = FOREACH strangers GENERATE visits::user AS name;
unknown = DISTINCT names;
STORE unknown INTO '$out/unknown';
