"""Drawing of the steps of a run: one layer for each distance from the raw data, arrows downwards.

The layout is that of Sugiyama, Tagawa and Toda (1981): layers by the longest path, dummy nodes where an arrow
crosses a layer, and repeated ordering by the mean position of neighbors. Coordinates are in pixels.
"""

from typing import Any

from turingstats.report.run_records import Step, measure_depth

WIDE, HIGH, APART, DOWN = 132, 34, 14, 74  # size of a box, and distances of boxes and of layers
THIN = 18  # width of an arrow that crosses a layer
SWEEPS = 24
Node = str | tuple[str, int]
"""A step, or where the arrow from a step crosses a layer."""


def lay_out_steps(steps: list[Step]) -> dict[str, Any]:
    """Lay out one box per step (name, left, top), and arrows as paths in SVG's notation."""
    by_name = {step.name: step for step in steps}
    depth = measure_depth(by_name)
    layers, links = fill_layers(depth, reduce_reads(by_name))
    order_layers(layers, links)
    width = max(measure_layer(layer) for layer in layers)
    places = {}
    for level, layer in enumerate(layers):
        left = (width - measure_layer(layer)) / 2
        for node in layer:
            places[node] = (left + get_width(node) / 2, level * DOWN)
            left += get_width(node) + APART
    return {
        "width": width,
        "height": (len(layers) - 1) * DOWN + HIGH,
        "boxes": [(name, round(places[name][0] - WIDE / 2), places[name][1]) for name in by_name],
        "arrows": [draw_arrow(places[a], places[b], a, b) for a, b in links],
    }


def reduce_reads(steps: dict[str, Step]) -> dict[str, set[str]]:
    """Leave out what a step also reads by way of another (transitive reduction)."""
    before = {}

    def collect(name: str) -> set[str]:
        if name not in before:
            before[name] = set().union(
                steps[name].reads, *(collect(other) for other in steps[name].reads)
            )
        return before[name]

    for name in steps:
        collect(name)
    return {
        name: {read for read in step.reads if not any(read in before[o] for o in step.reads)}
        for name, step in steps.items()
    }


def fill_layers(
    depth: dict[str, int], reads: dict[str, set[str]]
) -> tuple[list[list[Node]], list[tuple[Node, Node]]]:
    """Fill layers with steps, and with dummies (tuples) where an arrow crosses a layer.

    Links are pairs of nodes in neighboring layers.
    """
    layers: list[list[Node]] = [[] for _ in range(max(depth.values()) + 1)]
    for name in sorted(depth):
        layers[depth[name]].append(name)
    links: list[tuple[Node, Node]] = []
    for name in sorted(reads):
        for read in sorted(reads[name]):
            upper: Node = read
            for level in range(depth[read] + 1, depth[name]):
                # Arrows from one step share their way down.
                dummy = (read, level)
                if dummy not in layers[level]:
                    layers[level].append(dummy)
                links.append((upper, dummy))
                upper = dummy
            links.append((upper, name))
    return layers, list(dict.fromkeys(links))


def order_layers(layers: list[list[Node]], links: list[tuple[Node, Node]]) -> None:
    """Order each layer by the mean position of its neighbors, down and up in turns."""
    above, below = {}, {}
    for upper, lower in links:
        above.setdefault(lower, []).append(upper)
        below.setdefault(upper, []).append(lower)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for level in range(1, len(layers)) if down else range(len(layers) - 2, -1, -1):
            beside = layers[level - 1 if down else level + 1]
            places = {node: place / len(beside) for place, node in enumerate(beside)}
            known = above if down else below
            own = {node: place / len(layers[level]) for place, node in enumerate(layers[level])}

            def find_mean(
                node: Node,
                places: dict[Node, float] = places,
                known: dict[Node, list[Node]] = known,
                own: dict[Node, float] = own,
            ) -> float:
                found = [places[other] for other in known.get(node, ())]
                return sum(found) / len(found) if found else own[node]

            layers[level].sort(key=find_mean)


def get_width(node: Node) -> int:
    """Return the width of a node: a step's box, or a passing arrow."""
    return WIDE if isinstance(node, str) else THIN


def measure_layer(layer: list[Node]) -> int:
    """Measure the width of a layer."""
    return sum(map(get_width, layer)) + APART * (len(layer) - 1)


def draw_arrow(start: tuple[float, int], end: tuple[float, int], upper: Node, lower: Node) -> str:
    """Draw an arrow from below the upper node to the top of the lower one; dummies are passed through."""
    (x1, y1), (x2, y2) = start, end
    y1 += HIGH
    path = f"M{x1:.0f} {y1:.0f}C{x1:.0f} {(y1 + y2) / 2:.0f} {x2:.0f} {(y1 + y2) / 2:.0f} {x2:.0f} {y2:.0f}"
    return path if isinstance(lower, str) else f"{path}V{y2 + HIGH:.0f}"
