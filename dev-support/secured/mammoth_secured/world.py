# SPDX-License-Identifier: Apache-2.0
"""A world of its own on this machine: users, processes, loopback and a folder that nobody outside sees, gone with one process."""

import os
import shutil
import subprocess
import tempfile
import time

from . import SecuredError

#: Where the world's folder lies inside of it. All above it belongs to root, as container-executor wants.
INSIDE = "/mnt"

#: Names the container-executor binary of Apache Hadoop that is to be used.
BINARY = "MAMMOTH_CONTAINER_EXECUTOR"

#: The NodeManager's group, of which no user is a member.
GROUP = "hadoop"

#: User: (uid, primary group, its gid). The daemons' ids are below container-executor's min.user.id.
USERS = {
    "hdfs": (711, "hdfs", 711),
    "yarn": (712, GROUP, 710),
    "mapred": (713, "mapred", 713),
    "alice": (5001, "alice", 5001),
    "bob": (5002, "bob", 5002),
}


def why_not():
    """Why there can be no such world here; empty if there can."""
    if os.geteuid() != 0:
        return "only root may make users and namespaces for a while"
    for tool in ("unshare", "nsenter", "setpriv", "ip", "mount"):
        if not shutil.which(tool):
            return f"there is no command {tool}"
    binary = os.environ.get(BINARY, "")
    if not binary:
        return f"{BINARY} does not say where a container-executor of Apache Hadoop is"
    if not os.access(binary, os.X_OK):
        return f"{binary}, which {BINARY} names, cannot be run"
    return ""


class World:
    """Processes that are started in it end with it."""

    def __init__(self, keep=False):
        self.keep = keep
        self.folder = tempfile.mkdtemp(prefix="mammoth-secured-", dir="/var/tmp")
        os.chmod(self.folder, 0o755)
        self._write_users()
        mounts = " && ".join(
            (
                f"mount --bind {self.folder} {INSIDE}",
                f"mount --bind {self.folder}/etc /etc",
                "ip link set lo up",
                "exec sleep infinity",
            )
        )
        self.holder = subprocess.Popen(
            ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", mounts),
            stdin=subprocess.DEVNULL,
        )
        self.pid = self._first()
        self._await()
        self._place_binary()

    def _write_users(self):
        users = os.path.join(self.folder, "etc")
        subprocess.run(("cp", "-a", "/etc", users), check=True)
        with open("/etc/passwd", encoding="utf-8") as old, open(f"{users}/passwd", "w", encoding="utf-8") as new:
            new.writelines(line for line in old if line.split(":")[0] not in USERS)
            for name, (uid, _, gid) in USERS.items():
                new.write(f"{name}:x:{uid}:{gid}::{INSIDE}/home/{name}:/bin/bash\n")
        groups = {group: gid for _, group, gid in USERS.values()}
        with open("/etc/group", encoding="utf-8") as old, open(f"{users}/group", "w", encoding="utf-8") as new:
            new.writelines(line for line in old if line.split(":")[0] not in groups)
            for name, gid in groups.items():
                new.write(f"{name}:x:{gid}:\n")
        for name, (uid, _, gid) in USERS.items():
            home = os.path.join(self.folder, "home", name)
            os.makedirs(home)
            os.chown(home, uid, gid)
            os.chmod(home, 0o700)

    def _first(self):
        """The first process in it, as this machine numbers it."""
        limit = time.monotonic() + 30
        path = f"/proc/{self.holder.pid}/task/{self.holder.pid}/children"
        while time.monotonic() < limit:
            with open(path, encoding="ascii") as children:
                found = children.read().split()
            if found:
                return found[0]
            time.sleep(0.05)
        raise SecuredError("unshare started nothing")

    def _await(self):
        limit = time.monotonic() + 30
        while "alice" not in self.run("cat", "/etc/passwd", check=False).stdout:
            if self.holder.poll() is not None or time.monotonic() > limit:
                raise SecuredError("the mounts of the world could not be made")
            time.sleep(0.05)

    def _place_binary(self):
        """As the documentation of Apache Hadoop has it: setuid for the NodeManager's group alone, configuration for root alone."""
        group = USERS["yarn"][2]
        for name in ("setuid", "setuid/bin", "setuid/etc", "setuid/etc/hadoop"):
            os.mkdir(os.path.join(self.folder, name), 0o755)
        binary = os.path.join(self.folder, "setuid/bin/container-executor")
        shutil.copyfile(os.environ[BINARY], binary)
        os.chown(binary, 0, group)
        os.chmod(binary, 0o6050)
        settings = os.path.join(self.folder, "setuid/etc/hadoop/container-executor.cfg")
        with open(settings, "w", encoding="ascii") as out:
            out.write(
                f"yarn.nodemanager.linux-container-executor.group={GROUP}\n"
                "banned.users=hdfs,yarn,mapred,bin\nmin.user.id=1000\n"
            )
        os.chown(settings, 0, group)
        os.chmod(settings, 0o400)
        self.run(f"{INSIDE}/setuid/bin/container-executor", "--checksetup", user="yarn")

    @property
    def executor(self):
        """The binary, as the world's processes find it."""
        return f"{INSIDE}/setuid/bin/container-executor"

    def command(self, *command, user=None):
        """A command that runs another one in the world: as root, or as one of its users with no rights besides."""
        enter = ("nsenter", "--target", self.pid, "--mount", "--net", "--pid")
        if user is None:
            return enter + command
        uid, _, gid = USERS[user]
        return enter + ("setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", "--inh-caps=-all", "--") + command

    def run(self, *command, user=None, check=True, env=None, cwd="/", timeout=600):
        """Runs a command to its end; a status other than 0 is a SecuredError with what it said, unless check is False."""
        done = subprocess.run(
            self.command("env", "-C", cwd, *command, user=user), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", env=self._variables(user, env), timeout=timeout, check=False,
        )
        if check and done.returncode:
            said = (done.stdout + done.stderr).strip()[-4000:]
            raise SecuredError(f"'{' '.join(command)}' of {user or 'root'} ended with status {done.returncode}: {said}")
        return done

    def begin(self, *command, user=None, env=None, cwd="/"):
        """Starts a command whose output can be read."""
        return subprocess.Popen(
            self.command("env", "-C", cwd, *command, user=user), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", env=self._variables(user, env),
        )

    @staticmethod
    def _variables(user, env):
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        if user:
            variables.update(USER=user, HOME=f"{INSIDE}/home/{user}")
        return {**variables, **(env or {})}

    def close(self):
        """Ends all of it."""
        self.holder.kill()
        self.holder.wait()
        if not self.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
