"""A course directory: its layout, its gradebook, its deadlines."""
