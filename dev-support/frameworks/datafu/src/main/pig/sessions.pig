-- Sessions, sketches, exact and estimated quantiles, and what bags have in common.
REGISTER $jobs;
DEFINE Sessionize datafu.pig.sessions.Sessionize('2h');
DEFINE Enumerate datafu.pig.bags.Enumerate('1');
DEFINE Quantile datafu.pig.stats.Quantile('0.0', '0.25', '0.5', '0.75', '1.0');
DEFINE Spread datafu.pig.stats.VAR();
DEFINE Unique datafu.pig.bags.CountDistinctUpTo('200');
DEFINE Sha datafu.pig.hash.SHA('256');
DEFINE Md5 datafu.pig.hash.MD5('hex');
DEFINE CountOf datafu.pig.bags.CountEach('flatten');

visits = LOAD '$in/visits' AS (user:chararray, url:chararray, time:long, bytes:long);
stamped = FOREACH visits GENERATE time * 1000 AS time, user AS user, url AS url, bytes AS bytes;
by_user = GROUP stamped BY user PARALLEL 2;
sessions = FOREACH by_user {
  sorted = ORDER stamped BY time;
  GENERATE FLATTEN(Sessionize(sorted)) AS (time, user, url, bytes, session);
}
by_session = GROUP sessions BY (user, session);
lengths = FOREACH by_session GENERATE FLATTEN(group) AS (user, session), (MAX(sessions.time) - MIN(sessions.time)) / 1000 AS length, COUNT(sessions) AS amount;
-- The names of sessions are made by chance.
by_owner = GROUP lengths BY user;
summed = FOREACH by_owner {
  sorted = ORDER lengths BY length, amount;
  GENERATE group, Quantile(sorted.length), COUNT(lengths), SUM(lengths.amount);
}
STORE summed INTO '$out/sessions';

by_url = GROUP stamped BY url;
pages = FOREACH by_url {
  sorted = ORDER stamped BY time;
  users = FOREACH sorted GENERATE user;
  counted = FOREACH stamped GENERATE user;
  amounts = ORDER stamped BY bytes;
  GENERATE Md5(group), Sha(group), Unique(counted), Quantile(amounts.bytes), Spread(stamped.bytes), Enumerate(users);
}
STORE pages INTO '$out/pages';

pairs = FOREACH by_url {
  users = FOREACH stamped GENERATE user;
  GENERATE group, FLATTEN(CountOf(users)) AS (user, count);
}
STORE pairs INTO '$out/pairs';
