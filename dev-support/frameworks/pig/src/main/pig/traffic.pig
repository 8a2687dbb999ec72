-- Traffic by country, in order, and by host with the number of different users.
REGISTER $jobs;
DEFINE Host org.mammoth.frameworks.pig.Host();

visits = LOAD '$in/visits' AS (user:chararray, url:chararray, time:long, bytes:long);
users = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
joined = JOIN visits BY user, users BY user;
flat = FOREACH joined GENERATE country AS country, LOWER(Host(url)) AS host, visits::user AS user, bytes AS bytes, age AS age;

by_country = GROUP flat BY country;
sums = FOREACH by_country GENERATE group AS country, COUNT(flat) AS visits, SUM(flat.bytes) AS bytes, MIN(flat.age), MAX(flat.age);
countries = ORDER sums BY bytes DESC, country;
STORE countries INTO '$out/countries';

by_host = GROUP flat BY host PARALLEL 2;
hosts = FOREACH by_host {
  who = DISTINCT flat.user;
  adults = FILTER flat BY age >= 18;
  GENERATE group, COUNT(who), COUNT(adults), SUM(flat.bytes);
}
STORE hosts INTO '$out/hosts';
