"""Language models as judges, asked at an endpoint."""
