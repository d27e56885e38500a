"""Reader of samples of Python stacks as py-spy writes them."""
