# SPDX-License-Identifier: Apache-2.0
"""A Kerberos realm in a world: Hadoop's MiniKdc, a keytab for each user, and the configuration that goes with it."""

import glob
import os
import struct
import subprocess
import time

from . import SecuredError, world
from .world import INSIDE

REALM = "EXAMPLE.COM"

#: Class path with hadoop-minikdc and what it needs; else the jars of Maven's local repository are looked through.
CLASS_PATH = "MAMMOTH_MINIKDC_CLASSPATH"

_SERVICES = ("hdfs", "yarn", "mapred", "HTTP")
_USERS = ("alice", "bob")
_JARS = ("org/apache/hadoop/hadoop-minikdc", "org/apache/kerby", "org/slf4j/slf4j-api/1.*", "commons-io/commons-io")


def _class_path():
    named = os.environ.get(CLASS_PATH, "")
    if named:
        return named
    root = os.path.expanduser("~/.m2/repository")
    found = [jar for one in _JARS for jar in sorted(glob.glob(f"{root}/{one}/**/*.jar", recursive=True))]
    return os.pathsep.join(found)


def why_not():
    """Why there can be no realm here; empty if there can."""
    return "" if "minikdc" in _class_path() else f"hadoop-minikdc is not in Maven's local repository, and {CLASS_PATH} names none"


def _read(path):
    with open(path, encoding="utf-8", errors="replace") as text:
        return text.read()


def start(inside):
    """Starts the realm in a world, and writes keytabs and /etc/krb5.conf there."""
    folder = os.path.join(inside.folder, "kdc")
    os.mkdir(folder, 0o755)
    with open(f"{folder}/kdc.properties", "w", encoding="ascii") as out:
        out.write(
            "org.name=EXAMPLE\norg.domain=COM\nkdc.bind.address=localhost\nkdc.port=88\ninstance=DefaultKrbServer\n"
            "max.ticket.lifetime=86400000\nmax.renewable.lifetime=604800000\ntransport=TCP\ndebug=false\n"
        )
    principals = [f"{one}/localhost" for one in _SERVICES] + list(_USERS)
    with open(f"{folder}/kdc.log", "w", encoding="ascii") as log:
        # A shell that leaves it behind: it ends with the world.
        server = (
            "java", "-XX:TieredStopAtLevel=1", "-cp", _class_path(), "org.apache.hadoop.minikdc.MiniKdc",
            f"{INSIDE}/kdc", f"{INSIDE}/kdc/kdc.properties", f"{INSIDE}/kdc/all.keytab", *principals,
        )
        subprocess.run(inside.command("sh", "-c", '"$@" &', "sh", *server), stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=True)
    limit = time.monotonic() + 60
    while "Do <CTRL-C>" not in _read(f"{folder}/kdc.log"):
        if time.monotonic() > limit:
            raise SecuredError(f"the KDC did not start: {_read(f'{folder}/kdc.log')[-2000:]}")
        time.sleep(0.2)
    conf = sorted(glob.glob(f"{folder}/**/krb5.conf", recursive=True))[0]
    with open(conf, encoding="utf-8") as text, open(f"{inside.folder}/etc/krb5.conf", "w", encoding="utf-8") as out:
        out.write(text.read())
    os.chmod(f"{inside.folder}/etc/krb5.conf", 0o644)
    _divide(folder)


def _divide(folder):
    """Gives each user a keytab with what is theirs, and nobody the one with all."""
    with open(f"{folder}/all.keytab", "rb") as source:
        keytab = source.read()
    entries = {}
    at = 2
    while at < len(keytab):
        (size,) = struct.unpack_from(">i", keytab, at)
        entry = keytab[at : at + 4 + abs(size)]
        if size > 0:
            (count,) = struct.unpack_from(">H", entry, 4)
            words = []
            position = 6
            for _ in range(count + 1):
                (length,) = struct.unpack_from(">H", entry, position)
                words.append(entry[position + 2 : position + 2 + length].decode())
                position += 2 + length
            entries.setdefault(words[1], b"")
            entries[words[1]] += entry
        at += 4 + abs(size)
    os.unlink(f"{folder}/all.keytab")
    for user in (*_SERVICES, *_USERS):
        path = f"{folder}/{user}.keytab"
        with open(path, "wb") as out:
            out.write(keytab[:2] + entries[user])
        os.chmod(path, 0o400)
        uid, _, gid = world.USERS.get(user, world.USERS["hdfs"])
        os.chown(path, uid, gid)


def login(user):
    """Variables by which a command of Hadoop's is that user; daemons have keytabs in their configuration besides."""
    principal = f"{user}/localhost@{REALM}" if user in _SERVICES else f"{user}@{REALM}"
    return {"KRB5PRINCIPAL": principal, "KRB5KEYTAB": f"{INSIDE}/kdc/{user}.keytab"}


def _of(user):
    return f"{user}/localhost@{REALM}", f"{INSIDE}/kdc/{user}.keytab"


def settings():
    """Configuration by file: Kerberos, service authorization, and privacy on every wire of Hadoop's."""
    hdfs, hdfs_keytab = _of("hdfs")
    yarn, yarn_keytab = _of("yarn")
    mapred, mapred_keytab = _of("mapred")
    http, http_keytab = _of("HTTP")
    return {
        "core-site.xml": {
            "hadoop.security.authentication": "kerberos",
            "hadoop.security.authorization": "true",
            "hadoop.rpc.protection": "privacy",
        },
        "hdfs-site.xml": {
            "dfs.block.access.token.enable": "true",
            "dfs.data.transfer.protection": "privacy",
            "ignore.secure.ports.for.testing": "true",
            "dfs.namenode.kerberos.principal": hdfs,
            "dfs.namenode.keytab.file": hdfs_keytab,
            "dfs.datanode.kerberos.principal": hdfs,
            "dfs.datanode.keytab.file": hdfs_keytab,
            "dfs.web.authentication.kerberos.principal": http,
            "dfs.web.authentication.kerberos.keytab": http_keytab,
        },
        "yarn-site.xml": {
            "yarn.resourcemanager.principal": yarn,
            "yarn.resourcemanager.keytab": yarn_keytab,
            "yarn.nodemanager.principal": yarn,
            "yarn.nodemanager.keytab": yarn_keytab,
            "yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled": "false",
        },
        "mapred-site.xml": {"mapreduce.jobhistory.principal": mapred, "mapreduce.jobhistory.keytab": mapred_keytab},
    }
