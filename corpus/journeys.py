"""Journeys on the globe: distances, bearings and speeds from fixes of position, with the wrong fixes left out.

entry:      summarise
family:     elementwise
exercises:  trigonometric functions in long expressions, np.radians and np.arctan2, angles that wrap, running distances
patterns:   keyword-out masked-stores mask-selection mask-arithmetic scans transcendentals module-globals
            default-arguments user-calls tuple-results record-results validation
dtypes:     float64 float32
small:      n=12
medium:     n=400000
large:      n=2000000
sized:      n=11+6k
sweeps:     1
work:       n
cached:     n=4000
"""

import numpy as np

EARTH = 6371.0088  # km


def haversine(lat1, lon1, lat2, lon2):
    """Great-circle distance in kilometres; angles in radians."""
    h = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH * np.arcsin(np.minimum(np.sqrt(h), 1))


def bearing(lat1, lon1, lat2, lon2):
    """Initial course from north, in degrees from 0 to 360."""
    east = np.sin(lon2 - lon1) * np.cos(lat2)
    north = np.cos(lat1) * np.sin(lat2) - np.sin(lat1) * np.cos(lat2) * np.cos(lon2 - lon1)
    return np.degrees(np.arctan2(east, north)) % 360


def turned(course):
    """By how much each course differs from the one before, between -180 and 180."""
    return (np.diff(course) + 180) % 360 - 180


def summarise(latitude, longitude, seconds, fastest=300.0):
    """Distance so far at each fix, the course of each leg, and a few figures of the whole.

    A leg faster than `fastest` km/h counts as no movement.
    """
    if not (np.abs(latitude) <= 90).all():
        raise ValueError("latitudes are between -90 and 90")
    lat, lon = np.radians(latitude), np.radians(longitude)
    leg = haversine(lat[:-1], lon[:-1], lat[1:], lon[1:])
    course = bearing(lat[:-1], lon[:-1], lat[1:], lon[1:])
    speed = 3600 * leg / np.diff(seconds)
    good = speed <= fastest
    leg[~good] = 0
    so_far = np.zeros_like(latitude)
    np.cumsum(leg, out=so_far[1:])
    return (
        so_far,
        course,
        {
            "total": float(so_far[-1]),
            "dropped": int((~good).sum()),
            "sharpest": float(np.abs(turned(course)).max()),
            "mean speed": float(speed[good].mean()),
        },
    )


def make_inputs(n, dtype=np.float64):
    rng = np.random.default_rng(97)
    latitude = 48 + 5 * np.sin(0.001 * np.arange(n)) + rng.normal(0, 0.003, n)
    longitude = 11 + np.cumsum(rng.normal(0, 0.004, n))
    seconds = np.cumsum(rng.uniform(20, 40, n))
    latitude[n // 3] += 5  # a wrong fix
    return latitude.astype(dtype), longitude.astype(dtype), seconds.astype(dtype)


def bad_inputs():
    latitude, longitude, seconds = make_inputs(12)
    yield "beyond the pole", ValueError, (latitude + 60, longitude, seconds)
    yield "times that are missing", ValueError, (latitude, longitude, seconds[:-2])
