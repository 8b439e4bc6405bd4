"""Evolution: populations of trees, their operators and the loop that breeds them."""
