"""Scene graphs, with their atoms, compounds and spans."""
