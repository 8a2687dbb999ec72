# SPDX-License-Identifier: Apache-2.0
"""A node on which every container runs as its user, for tests: see world and cluster."""


class SecuredError(Exception):
    """Something of the test bed failed; the message says what."""
