"""Studies of pairs: judges choose between the responses of agents, which are ranked."""
