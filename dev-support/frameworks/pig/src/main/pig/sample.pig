-- Union, order and limit.
SET default_parallel 2;
users = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
others = LOAD '$in/users' AS (user:chararray, country:chararray, age:int);
young = FILTER users BY age < 20;
old = FILTER others BY age > 80;
either = UNION young, old;
ordered = ORDER either BY age, user;
first = LIMIT ordered 50;
STORE first INTO '$out/sample';
