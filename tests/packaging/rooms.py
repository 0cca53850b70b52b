"""Builds `.rooms/transpile`, where static tools find each room under the name that it is imported by."""

import configparser
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def package_folders() -> dict[str, str]:
    """Returns the folder of each package, by its name, as setup.cfg maps them."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    lines = config["options"]["package_dir"].split("\n")
    return {
        name.strip(): folder.strip() for name, _, folder in (line.partition("=") for line in lines if line)
    }


def build_links(target: Path) -> None:
    """Builds the tree anew: modules of the face and whole rooms are links; a package inside a room comes with it."""
    shutil.rmtree(target, ignore_errors=True)
    for name, folder in package_folders().items():
        place = target.joinpath(*name.split("."))
        if "." not in name:
            place.mkdir(parents=True)
            for module in (ROOT / folder).glob("*.py*"):
                (place / module.name).symlink_to(module)
        elif not place.exists():
            place.symlink_to(ROOT / folder, target_is_directory=True)


if __name__ == "__main__":
    build_links(ROOT / ".rooms")
