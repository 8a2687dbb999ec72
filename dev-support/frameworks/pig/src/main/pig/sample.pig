-- Order and limit. No union: a plan with one can hardly ever be read.
SET default_parallel 2;
users = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
either = FILTER users BY age < 20 OR age > 80;
ordered = ORDER either BY age, user;
first = LIMIT ordered 50;
STORE first INTO '$out/sample';
