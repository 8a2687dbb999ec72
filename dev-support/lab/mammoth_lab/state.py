# SPDX-License-Identifier: Apache-2.0
"""What a lab remembers between commands."""

import contextlib
import fcntl
import json
import os
import re

from . import LabError

FOLDER = "/run/mammoth-lab"


class State:
    """One file per lab below /run, which a restart of the machine empties as it empties namespaces and groups.

    It is written before anything is made and removed after everything is gone: what a crash leaves is found again.
    """

    def __init__(self, name):
        if not re.fullmatch(r"[a-z0-9]{1,20}", name):
            raise LabError(f"'{name}' is no name of a lab: 1 to 20 small letters and digits")
        self._name = name
        self._path = os.path.join(FOLDER, f"{name}.json")

    def load(self):
        """The document, or None when there is no such lab."""
        try:
            with open(self._path, encoding="utf-8") as source:
                return json.load(source)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise LabError(f"{self._path} cannot be read ({error}); remove it, then 'lab down'") from error

    def save(self, document):
        os.makedirs(FOLDER, exist_ok=True)
        beside = f"{self._path}.part"
        with open(beside, "w", encoding="utf-8") as out:
            json.dump(document, out, indent=2)
        os.replace(beside, self._path)

    def forget(self):
        with contextlib.suppress(FileNotFoundError):
            os.remove(self._path)

    @contextlib.contextmanager
    def lock(self):
        """For commands that make or remove things: one at a time. Held by the process, so that a crash gives it back."""
        os.makedirs(FOLDER, exist_ok=True)
        with open(os.path.join(FOLDER, f"{self._name}.lock"), "w", encoding="ascii") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise LabError(f"another command is changing lab {self._name} at this moment") from error
            yield
