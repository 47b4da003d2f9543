"""What every module may use: files, errors, words, and YAML files read into models."""
