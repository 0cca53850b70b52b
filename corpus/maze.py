"""The way through a maze by breadth-first search, and how far everything is from the door.

entry:      explore
family:     dynamic-programming
exercises:  a queue in an array with a head and a tail, neighbours from a tuple of steps, a path as a list of pairs, guards at the rim
patterns:   array-iterables while-loops continue early-return enumerate lazy-guard list-append mask-selection
            unique-bincount module-globals starred user-calls tuple-results validation
small:      n=9
medium:     n=250
large:      n=600
sized:      n=8+2k
"""

import numpy as np

WALL, FREE = 1, 0
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def distances_from(maze, row, column):
    """Steps from a cell to each cell that can be reached, -1 elsewhere, and by which step one comes there."""
    rows, columns = maze.shape
    distance = np.full(maze.shape, -1)
    came_by = np.full(maze.shape, -1)
    queue = np.empty((maze.size, 2), dtype=np.int64)
    head, tail = 0, 1
    queue[0] = row, column
    distance[row, column] = 0
    while head < tail:
        i, j = queue[head]
        head += 1
        for k, (di, dj) in enumerate(STEPS):
            a, b = i + di, j + dj
            if not (0 <= a < rows and 0 <= b < columns):
                continue
            if maze[a, b] == FREE and distance[a, b] < 0:
                distance[a, b] = distance[i, j] + 1
                came_by[a, b] = k
                queue[tail] = a, b
                tail += 1
    return distance, came_by


def way_to(came_by, row, column):
    """Cells from the start to a cell."""
    way = [(row, column)]
    while came_by[row, column] >= 0:
        di, dj = STEPS[came_by[row, column]]
        row, column = row - di, column - dj
        way.append((row, column))
    way.reverse()
    return way


def explore(maze, door, goal):
    """Distances from the door, a shortest way to the goal as an array, and how many cells lie at each distance."""
    if maze[door] == WALL:
        raise ValueError("the door is walled up")
    distance, came_by = distances_from(maze, *door)
    if distance[goal] < 0:
        return distance, None, None
    way = np.array(way_to(came_by, *goal))
    reached = distance[distance >= 0]
    return distance, way, np.bincount(reached)


def make_inputs(n):
    rng = np.random.default_rng(181)
    maze = (rng.uniform(0, 1, (n, n + 3)) < 0.28).astype(np.int8)
    maze[0] = maze[:, -1] = FREE
    maze[n // 2, : n // 2] = WALL
    return maze, (0, 0), (n - 1, n + 2)


def bad_inputs():
    maze, door, goal = make_inputs(8)
    yield "a door that is a wall", ValueError, (np.ones_like(maze), door, goal)
    yield "a goal outside", IndexError, (maze, door, (40, 2))
