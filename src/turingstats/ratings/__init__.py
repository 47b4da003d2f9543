"""Studies of pairwise similarity ratings, from their files to tables and figures."""
