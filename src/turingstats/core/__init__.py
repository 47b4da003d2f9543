"""Basics that every module may use: files, errors, labels, and YAML files read into models."""
