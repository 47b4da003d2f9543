"""Two-dimensional maps in which similar participants are close to each other."""

import numpy as np
from scipy.linalg import eigh
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE


def embed_tsne(vectors: np.ndarray, perplexity: float, seed: int) -> np.ndarray:
    """Embed participants in two dimensions in which near neighbors stay near (t-SNE).

    Parameters
    ----------
    vectors : array, shape (participants, pairs)
        Without missing values.
    perplexity : float
        Reduced to a third of the participants if there are too few.
    seed : int

    Returns
    -------
    array, shape (participants, 2)

    Notes
    -----
    Uses scikit-learn, on the first 50 principal components as in R's Rtsne; initialized with the first two
    components, so that the map does not depend on a random start.
    """
    vectors = np.asarray(vectors, dtype=float)
    parts = min(50, *vectors.shape)
    reduced = PCA(parts, svd_solver="full").fit_transform(vectors)
    tsne = TSNE(
        perplexity=min(perplexity, (len(vectors) - 1) / 3),
        max_iter=5000,
        init="pca",
        learning_rate="auto",
        method="barnes_hut",
        random_state=seed,
        n_jobs=1,
    )
    return tsne.fit_transform(reduced).astype(float)


def scale_classically(distances: np.ndarray) -> tuple[np.ndarray, float]:
    """Embed participants in two dimensions that best preserve distances (classical scaling).

    Parameters
    ----------
    distances : array, shape (participants, participants)

    Returns
    -------
    positions : array, shape (participants, 2)
        The sign of each dimension is chosen so that its largest entry is positive.
    kept : float
        Share of the two dimensions in the sum of positive eigenvalues.
    """
    n = len(distances)
    center = np.eye(n) - 1 / n
    scalar = -0.5 * center @ np.asarray(distances, dtype=float) ** 2 @ center
    values, axes = eigh((scalar + scalar.T) / 2)
    values, axes = values[::-1], axes[:, ::-1]
    positions = axes[:, :2] * np.sqrt(np.maximum(values[:2], 0))
    positions *= np.sign(positions[np.abs(positions).argmax(axis=0), [0, 1]])
    return positions, values[:2].sum() / values[values > 0].sum()
