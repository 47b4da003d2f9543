"""Support vector machines as judges: features, training, evaluation."""
