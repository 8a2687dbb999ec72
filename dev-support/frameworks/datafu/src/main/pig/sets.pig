-- DataFu's own macros and functions of sets, hashes and distances.
REGISTER $jobs;
IMPORT 'datafu/dedup.pig';
IMPORT 'datafu/count_macros.pig';
DEFINE Intersect datafu.pig.sets.SetIntersect();
DEFINE Difference datafu.pig.sets.SetDifference();
DEFINE Pairs datafu.pig.stats.MarkovPairs();
DEFINE Miles datafu.pig.geo.HaversineDistInMiles();
DEFINE Coalesce datafu.pig.util.Coalesce('lazy');

visits = LOAD '$in/visits' AS (user:chararray, url:chararray, time:long, bytes:long);
latest = dedup(visits, 'user', 'time');
STORE latest INTO '$out/latest';

keys = count_distinct_keys(visits, 'url');
STORE keys INTO '$out/keys';

users = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
grouped = COGROUP visits BY user, users BY user;
common = FOREACH grouped {
  small = FILTER visits BY bytes < 45000;
  early = FILTER visits BY time < 1700120000;
  few = DISTINCT small.url;
  first = DISTINCT early.url;
  a = ORDER few BY url;
  b = ORDER first BY url;
  GENERATE group, Intersect(a, b), Difference(a, b), Coalesce(MAX(users.age), -1);
}
STORE common INTO '$out/common';

by_country = GROUP users BY country;
spread = FOREACH by_country {
  sorted = ORDER users BY user;
  counts = FOREACH sorted GENERATE age;
  GENERATE group, Pairs(counts), Miles(48.2, 16.4, (double) COUNT(users) / 10.0, 20.0);
}
STORE spread INTO '$out/spread';
