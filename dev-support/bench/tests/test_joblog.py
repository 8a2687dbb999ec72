# SPDX-License-Identifier: Apache-2.0
import unittest

from mammoth_bench import joblog

ONE = """\
2026-01-01 10:00:00,000 INFO mapreduce.Job: Running job: job_1700000000000_0007
2026-01-01 10:00:20,000 INFO mapreduce.Job: Counters: 54
\tFile System Counters
\t\tFILE: Number of bytes read=1234
\tMap-Reduce Framework
\t\tReduce output records=22
\t\tGC time elapsed (ms)=150
\torg.apache.hadoop.examples.terasort.TeraGen$Counters
\t\tCHECKSUM=-12
"""


class JobLogTest(unittest.TestCase):
    def test_one_job(self):
        self.assertEqual(joblog.gc_millis(ONE), 150)
        self.assertEqual(joblog.counters(ONE)["CHECKSUM"], -12)
        self.assertEqual(joblog.counters(ONE)["FILE: Number of bytes read"], 1234)
        self.assertEqual(joblog.jobs(ONE), ["job_1700000000000_0007"])

    def test_chain_adds_up(self):
        both = ONE + ONE.replace("_0007", "_0008").replace("=150", "=50")
        self.assertEqual(joblog.gc_millis(both), 200)
        self.assertEqual(joblog.jobs(both), ["job_1700000000000_0007", "job_1700000000000_0008"])

    def test_counters_of_single_tasks_are_left_out(self):
        task = (
            "2026-01-01 10:00:01,000 INFO mapred.Task: Final Counters for attempt_local1_0001_m_000000_0"
            ": Counters: 20\n\tMap-Reduce Framework\n\t\tGC time elapsed (ms)=140\n"
        )
        self.assertEqual(joblog.gc_millis(task + ONE + task), 150)
        self.assertIsNone(joblog.gc_millis(task))

    def test_nothing_to_see(self):
        self.assertIsNone(joblog.gc_millis("java.net.ConnectException: refused\nA=1\n"))
        self.assertEqual(joblog.jobs(""), [])

    def test_tasks_in_engines(self):
        status = 'WARN something\n{"nodes": [{"engines": [{"tasksStarted": 3}, {"tasksStarted": 4}]}]}\n'
        self.assertEqual(joblog.tasks_in_engines(status), 7)
        self.assertEqual(joblog.tasks_in_engines("[]"), 0)
        self.assertEqual(joblog.tasks_in_engines("no engine"), 0)
        self.assertEqual(joblog.tasks_in_engines("{broken"), 0)
