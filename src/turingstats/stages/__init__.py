"""What one job of a run makes: tables are read, analyses called, and tables and pictures written."""
