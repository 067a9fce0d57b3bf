-- It takes as long as thousands of comparisons. Otherwise PostgreSQL may compute the pairs of every order instead of reading
-- them from their index.
ALTER FUNCTION order_pairs(text) COST 5000;
