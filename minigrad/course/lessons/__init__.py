"""What lessons are made of: their files, what their cells call, what a student is handed."""
