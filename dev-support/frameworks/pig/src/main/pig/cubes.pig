-- Cube and rank, in files that are compressed on the way.
SET pig.tmpfilecompression true;
SET pig.tmpfilecompression.codec gz;
visits = LOAD '$in/visits' AS (user:chararray, url:chararray, time:long, bytes:long);
users = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
joined = JOIN visits BY user, users BY user PARALLEL 2;
slim = FOREACH joined GENERATE country AS country, (age / 10) * 10 AS decade, bytes AS bytes;
cubed = CUBE slim BY CUBE(country, decade);
sums = FOREACH cubed GENERATE FLATTEN(group) AS (country, decade), COUNT(cube), SUM(cube.bytes) AS bytes;
STORE sums INTO '$out/cube';

known = FILTER sums BY country IS NOT NULL AND decade IS NOT NULL;
ranks = RANK known BY bytes DESC, country ASC, decade ASC;
ranked = ORDER ranks BY $0, country, decade;
STORE ranked INTO '$out/ranked';
