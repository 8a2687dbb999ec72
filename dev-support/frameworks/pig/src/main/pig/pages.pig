-- A join with a table that fits in memory, a function with a combiner, and the best pages of each category.
REGISTER $jobs;
DEFINE Longest org.mammoth.frameworks.pig.Longest();

visits = LOAD '$in/visits' AS (user:chararray, url:chararray, time:long, bytes:long);
pages = LOAD '$in/pages' AS (url:chararray, category:chararray, rank:int);
listed = JOIN visits BY url, pages BY url USING 'replicated';
slim = FOREACH listed GENERATE category AS category, visits::url AS url, rank AS rank, bytes AS bytes;

by_category = GROUP slim BY category;
categories = FOREACH by_category GENERATE group, COUNT(slim), Longest(slim.url), SUM(slim.bytes), AVG(slim.rank);
STORE categories INTO '$out/categories';

by_url = GROUP slim BY (category, url);
totals = FOREACH by_url GENERATE FLATTEN(group) AS (category, url), SUM(slim.bytes) AS bytes;
again = GROUP totals BY category;
top = FOREACH again {
  sorted = ORDER totals BY bytes DESC, url;
  first = LIMIT sorted 3;
  GENERATE FLATTEN(first);
}
best = ORDER top BY category, bytes DESC, url;
STORE best INTO '$out/best';
