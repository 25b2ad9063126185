"""Scene graphs: atoms, compounds, what is true of a graph, and random walks over one."""
