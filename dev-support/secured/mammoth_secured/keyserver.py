# SPDX-License-Identifier: Apache-2.0
"""Hadoop's Key Management Server in a world with Kerberos, and encryption zones by it."""

from . import kdc
from .world import INSIDE

PORT = 9600


def settings():
    """Configuration by file, for it and for those who ask it."""
    return {
        "core-site.xml": {"hadoop.security.key.provider.path": f"kms://http@localhost:{PORT}/kms"},
        "kms-site.xml": {
            "hadoop.kms.key.provider.uri": f"jceks://file@{INSIDE}/data/hdfs/keys.jceks",
            "hadoop.kms.authentication.type": "kerberos",
            "hadoop.kms.authentication.kerberos.principal": f"HTTP/localhost@{kdc.REALM}",
            "hadoop.kms.authentication.kerberos.keytab": f"{INSIDE}/kdc/HTTP.keytab",
        },
    }


def start(node):
    """Starts it as hdfs, whose keytab of the HTTP principal it reads."""
    node.start("hdfs", "hadoop", "kms")
    node.wait("the key server does not answer", lambda: node.world.run("curl", "-s", f"http://localhost:{PORT}/kms/v1/keys/names", check=False).stdout)


def make_zone(node, user, path):
    """An encryption zone of a user with a key of its own."""
    key = path.strip("/").replace("/", "-")
    node.run("hdfs", "hadoop", "key", "create", key)
    node.run(user, "hadoop", "fs", "-mkdir", "-p", path)
    node.run("hdfs", "hdfs", "crypto", "-createZone", "-keyName", key, "-path", path)
