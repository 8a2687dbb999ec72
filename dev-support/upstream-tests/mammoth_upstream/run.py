# SPDX-License-Identifier: Apache-2.0
"""One test class in a JVM of its own."""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree

_OPENS = (
    "java.io", "java.lang", "java.lang.reflect", "java.math", "java.net", "java.text", "java.util",
    "java.util.concurrent", "java.util.zip", "sun.security.util", "sun.security.x509",
)


def class_path(conf, release_home, module, libraries=()):
    """Configuration, our listener, test libraries, then the release as its daemons have it, what else tests want, and the mini cluster."""
    shared = os.path.join(release_home, "share", "hadoop")
    folders = ("common/lib", "common", "hdfs", "hdfs/lib", "yarn/lib", "yarn", "yarn/timelineservice", "yarn/test",
               "mapreduce/lib", "mapreduce", "mammoth")
    entries = [conf, os.path.join(module, "target", "engine-proof.jar")]
    entries += sorted(glob.glob(os.path.join(module, "target", "lib", "*.jar")))
    # One by one: a NodeManager gives its java.class.path to containers. Test jars have a log4j.properties; they come last.
    jars = [jar for folder in folders for jar in sorted(glob.glob(os.path.join(shared, folder, "*.jar")))]
    entries.append(os.path.join(shared, "hdfs"))
    entries += [j for j in jars if not j.endswith("-tests.jar")]
    return entries + list(libraries) + [j for j in jars if j.endswith("-tests.jar")]


#: Who runs a class: JUnit itself, an engine's task, or JUnit beside a cluster that takes the jobs of LocalJobRunner.
PLAIN = "org.junit.platform.console.ConsoleLauncher"
AS_TASK = "org.mammoth.upstream.TestsOfATask"
ON_CLUSTER = "org.mammoth.upstream.TestsOnACluster"


def run(name, java, path, work, heap, seconds, natives, main=PLAIN):
    """Runs a class; returns its verdict: tests, failures, seconds, what engines and caches did."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "logs"))
    # The path of a domain socket has 107 characters at most, and upstream's tests make theirs in here.
    scratch = tempfile.mkdtemp(prefix="upstream-")
    proof = os.path.join(work, "proof.json")
    hdfs = os.path.join(work, "hdfs.json")
    agent = [f"-javaagent:{_harness(path)}"] if main == AS_TASK else []
    command = [
        java, f"-Xmx{heap}", *agent, *(f"--add-opens=java.base/{p}=ALL-UNNAMED" for p in _OPENS),
        # Upstream's mocking library is older than Java 17.
        "-Dnet.bytebuddy.experimental=true", "-Djava.net.preferIPv4Stack=true", "-Djava.security.egd=file:/dev/./urandom",
        f"-Djava.io.tmpdir={scratch}", f"-Dhadoop.log.dir={work}/logs", "-Dhadoop.root.logger=INFO,console",
        f"-Dtest.build.dir={work}", f"-Dtest.build.data={work}/data", f"-Dhadoop.tmp.dir={work}/tmp",
        f"-Dmammoth.upstream.proof={proof}", f"-Dmammoth.upstream.hdfs={hdfs}", f"-Djava.library.path={natives}",
        "-cp", ":".join(path), main, "execute", "--disable-banner", "--details=none",
        f"--reports-dir={work}/reports", f"--select-class={name}",
    ]
    env = {key: value for key, value in os.environ.items() if not key.startswith(("HADOOP_", "YARN_", "MAPRED_", "HDFS_"))}
    begin = time.monotonic()
    with open(os.path.join(work, "output.log"), "wb") as log:
        process = subprocess.Popen(command, cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            process.wait(seconds)
            timed_out = False
        except subprocess.TimeoutExpired:
            timed_out = True
            process.kill()
            process.wait()
        finally:
            process.kill()
            sweep(work)
            shutil.rmtree(scratch, ignore_errors=True)
    tests, bad, skipped = _reports(os.path.join(work, "reports"))
    if timed_out:
        bad[f"(the class did not end within {seconds} s)"] = ""
    elif not tests:
        bad[f"(no test ran, exit status {process.returncode})"] = ""
    return {
        "tests": tests, "bad": bad, "skipped": skipped, "seconds": round(time.monotonic() - begin),
        "engines": _proof(proof, {"nodes": 0, "engines": 0, "tasks": 0, "ordinary": {}}),
        "hdfs": _proof(hdfs, {"hits": 0, "misses": 0, "kept": 0, "ahead": 0}),
    }


def _harness(path):
    return next(entry for entry in path if entry.endswith("/engine-proof.jar"))


def sweep(work):
    """Ends what a class left behind: engines and containers have their folders below its own."""
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            if os.readlink(os.path.join(folder, "cwd")).startswith(work + "/"):
                os.kill(int(os.path.basename(folder)), 9)
        except (OSError, ValueError):
            pass


def _reports(folder):
    tests, bad, skipped = 0, {}, 0
    for path in glob.glob(os.path.join(folder, "TEST-*.xml")):
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            tests += 1
            trouble = case.find("failure") if case.find("failure") is not None else case.find("error")
            if trouble is not None:
                message = (trouble.get("message") or trouble.get("type") or "").splitlines()
                bad[case.get("name")] = message[0][:200] if message else ""
            elif case.find("skipped") is not None:
                skipped += 1
    return tests, bad, skipped


def _proof(path, nothing):
    try:
        with open(path, encoding="utf-8") as source:
            return json.load(source)
    except FileNotFoundError:
        return nothing
