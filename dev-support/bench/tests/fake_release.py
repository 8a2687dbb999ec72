#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for bin/hadoop, hdfs, yarn and mapred in the smoke test: the same commands, no Java.

Daemons answer the questions a bench asks; HDFS is a folder; a job is a word count in this process.
The NodeManager leaves an orphan behind in a session of its own, as one with an engine does.
"""

import glob
import http.server
import json
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

DAEMONS = ("namenode", "datanode", "resourcemanager", "nodemanager", "historyserver")


def site(conf):
    properties = {}
    for path in glob.glob(os.path.join(conf, "*-site.xml")):
        for node in ElementTree.parse(path).getroot():
            properties[node.findtext("name")] = node.findtext("value")
    return properties


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({
            "beans": [{
                "NumLiveDataNodes": 1, "FSState": "Operational",
                "Copies": 1, "FillsWaiting": 0, "Fills": [], "Space": [{"key": "inputUsed", "value": 1}],
            }],
            "clusterMetrics": {"activeNodes": 1},
            "tasks": {"task": [{"type": "MAP", "startTime": 1000, "finishTime": 3000}]},
        }).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve(address):
    host, port = address.split(":")
    http.server.HTTPServer((host, int(port)), Answers).serve_forever()


def word_count(files, source, target, wrong):
    counts = {}
    for path in glob.glob(files + source + "/*"):
        for word in open(path, encoding="utf-8").read().split():
            counts[word] = counts.get(word, 0) + 1
    if wrong:
        counts["lost"] = 1
    os.makedirs(files + target)
    with open(files + target + "/part-r-00000", "w", encoding="utf-8") as out:
        for word in sorted(counts):
            out.write(f"{word}\t{counts[word]}\n")
    print("INFO mapreduce.Job: Running job: job_1_0001")
    print("INFO mapreduce.Job: Counters: 1")
    print("\tMap-Reduce Framework\n\t\tGC time elapsed (ms)=5")


def random_text(files, target):
    os.makedirs(files + target)
    with open(files + target + "/part-m-00000", "w", encoding="utf-8") as out:
        out.write("a few words to count words\n")
    print("INFO mapreduce.Job: Counters: 1")
    print("\tWorkloads\n\t\tWORDS=6")


def grep(files, source, target):
    assert os.path.isdir(files + source)
    os.makedirs(files + target)
    with open(files + target + "/part-r-00000", "w", encoding="utf-8") as out:
        out.write("3\tqza\n1\tqzb\n")
    print("INFO mapreduce.Job: Running job: job_1_0002")
    print("INFO mapreduce.Job: Counters: 1")
    print("\tMap-Reduce Framework\n\t\tMap output records=6")


def tera(files, program, target):
    os.makedirs(files + target)
    if program == "teravalidate":
        with open(files + target + "/part-r-00000", "w", encoding="utf-8") as out:
            out.write("checksum\tff\n")
    print("INFO mapreduce.Job: Running job: job_1_0003")
    print("INFO mapreduce.Job: Counters: 2")
    print("\tCounters\n\t\tCHECKSUM=255\n\t\tReduce output records=10")


def dfs(files, arguments):
    command, paths = arguments[0], [a for a in arguments[1:] if not a.startswith("-")]
    if command == "-rm":
        shutil.rmtree(files + paths[0], ignore_errors=True)
    elif command == "-mkdir":
        os.makedirs(files + paths[0], exist_ok=True)
    elif command == "-put":
        shutil.copy(paths[0], files + paths[1])
    elif command == "-cat":
        for path in sorted(glob.glob(files + paths[0])):
            sys.stdout.write(open(path, encoding="utf-8").read())


def main():
    conf, command, arguments = sys.argv[2], sys.argv[3], [word for word in sys.argv[4:] if not word.startswith("-Dproc_")]
    if command in DAEMONS and len(sys.argv) == 4:
        # As the launchers do it: by this word daemons are known in the list of processes.
        os.execv(sys.executable, [sys.executable, *sys.argv, f"-Dproc_{command}"])
    properties = site(conf)
    name_dir = properties["dfs.namenode.name.dir"][len("file://"):]
    files = os.path.join(os.path.dirname(name_dir), "files")
    if command in ("resourcemanager", "nodemanager"):
        with open(os.path.join(os.path.dirname(name_dir), "started"), "a", encoding="utf-8") as log:
            log.write(command + "\n")
    if command == "namenode" and arguments:
        os.makedirs(os.path.join(name_dir, "current"))
    elif command == "namenode":
        serve(properties["dfs.namenode.http-address"])
    elif command == "historyserver":
        serve(properties["mapreduce.jobhistory.webapp.address"])
    elif command == "resourcemanager":
        serve(properties["yarn.resourcemanager.webapp.address"])
    elif command == "nodemanager":
        subprocess.Popen(["sleep", "600"], start_new_session=True)
        time.sleep(600)
    elif command == "datanode":
        serve(properties["dfs.datanode.http.address"])
    elif command == "mpcache":
        cache = properties["mammoth.mpcache.dirs"].rpartition("=")[0]
        print("localized" if os.path.isdir(cache + "/localized") else "no folder")
    elif command == "dfs":
        dfs(files, arguments)
    elif command == "engine":
        print("a warning before it")
        started = int(os.environ.get("FAKE_TASKS", "4"))
        print(json.dumps([{"node": "n", "engines": [{"tasksStarted": started}]}], indent=2))
    elif command == "cds":
        archive = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "var/cds")
        os.makedirs(archive, exist_ok=True)
        open(os.path.join(archive, "client.jsa"), "w", encoding="ascii").close()
    elif command == "jar" and "randomtext" in arguments:
        random_text(files, arguments[-2])
    elif command == "jar" and "grep" in arguments:
        grep(files, *arguments[-3:-1])
    elif command == "jar" and set(arguments) & {"teragen", "terasort", "teravalidate"}:
        tera(files, arguments[1], arguments[-1])
    elif command == "jar":
        time.sleep(float(os.environ.get("FAKE_JOB_SECONDS", "0")))
        wrong = os.environ.get("FAKE_WRONG") == os.path.basename(conf)
        word_count(files, arguments[-2], arguments[-1], wrong)


main()
