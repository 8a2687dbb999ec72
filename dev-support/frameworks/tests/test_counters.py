# SPDX-License-Identifier: Apache-2.0
import unittest

from mammoth_frameworks import counters
from mammoth_frameworks.counters import Job

TASK = "org.apache.hadoop.mapreduce.TaskCounter/"
JOB = "org.apache.hadoop.mapreduce.JobCounter/"


class CountersTest(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(counters.compare([Job("a", {"g/c": 1})], [Job("a", {"g/c": 1})]), [])

    def test_another_value_differs(self):
        found = counters.compare([Job("a", {"x.g/c": 1})], [Job("a", {"x.g/c": 2})])
        self.assertEqual(found, ["counters of a: g/c is 1 on stock and 2 on Mammoth"])

    def test_one_that_only_one_side_lists_differs_though_it_is_0(self):
        found = counters.compare([Job("a", {"g/c": 0})], [Job("a", {})])
        self.assertEqual(found, ["counters of a: g/c is 0 on stock and not listed on Mammoth"])

    def test_times_and_places_may_differ(self):
        stock = Job("a", {TASK + "CPU_MILLISECONDS": 1, JOB + "DATA_LOCAL_MAPS": 2, JOB + "MILLIS_MAPS": 3})
        self.assertEqual(counters.compare([stock], [Job("a", {"org.mammoth.mapreduce.MammothCounter/X": 1})]), [])

    def test_times_that_giraph_counts_may_differ(self):
        found = counters.compare([Job("a", {"Giraph Timers/Total (ms)": 1})], [Job("a", {"Giraph Timers/Total (ms)": 2})])
        self.assertEqual(found, [])
        self.assertEqual(len(counters.compare([Job("a", {"Giraph Stats/Superstep": 1})], [Job("a", {"Giraph Stats/Superstep": 2})])), 1)

    def test_combined_records_may_differ_only_with_a_combiner(self):
        def job(records, **more):
            return Job("a", {TASK + "REDUCE_INPUT_RECORDS": records, **more})

        self.assertEqual(len(counters.compare([job(1)], [job(2)])), 1)
        combine = {TASK + "COMBINE_INPUT_RECORDS": 9}
        self.assertEqual(counters.compare([job(1, **combine)], [job(2, **combine)]), [])

    def test_sizes_may_differ_only_where_map_output_is_compressed(self):
        values = [{TASK + "REDUCE_SHUFFLE_BYTES": size} for size in (10, 11)]
        self.assertEqual(len(counters.compare([Job("a", values[0])], [Job("a", values[1])])), 1)
        self.assertEqual(counters.compare([Job("a", values[0], True)], [Job("a", values[1], True)]), [])

    def test_launched_attempts_may_differ_only_where_some_were_killed(self):
        launched = JOB + "TOTAL_LAUNCHED_MAPS"
        self.assertEqual(len(counters.compare([Job("a", {launched: 2})], [Job("a", {launched: 3})])), 1)
        killed = Job("a", {launched: 3, JOB + "NUM_KILLED_MAPS": 1})
        self.assertEqual(counters.compare([Job("a", {launched: 2})], [killed]), [])

    def test_numbers_of_temporary_folders_and_jobs_in_names_do_not_count(self):
        def job(folder, application, records):
            return Job("a", {f"x.g/Input records from _0_tmp{folder}": records, f"x.g/rank_job_{application}_0027": 160})

        self.assertEqual(counters.compare([job(-1424, "17_1", 8)], [job(1552, "19_2", 8)]), [])
        self.assertEqual(len(counters.compare([job(-1424, "17_1", 8)], [job(1552, "19_2", 9)])), 1)

    def test_only_jobs_of_pig_have_splits_of_any_size_and_samples(self):
        def job(name, size, written=1):
            return Job(name, {TASK + "SPLIT_RAW_BYTES": size, TASK + "MAP_OUTPUT_BYTES": size, TASK + "REDUCE_OUTPUT_RECORDS": written})

        self.assertEqual(counters.compare([job("PigLatin:a", 393)], [job("PigLatin:a", 394)]), [])
        self.assertEqual(len(counters.compare([job("PigLatin:a", 393, 2)], [job("PigLatin:a", 394, 2)])), 1)
        self.assertEqual(len(counters.compare([job("a", 393)], [job("a", 394)])), 1)

    def test_only_files_of_nutch_have_sizes_that_depend_on_the_moment(self):
        read = "org.apache.hadoop.mapreduce.FileSystemCounter/HDFS_BYTES_READ"
        for name, differences in (("Nutch LinkDb: x", 0), ("FetchData", 0), ("a", 1)):
            self.assertEqual(len(counters.compare([Job(name, {read: 1})], [Job(name, {read: 2})])), differences)
        self.assertEqual(len(counters.compare([Job("FetchData", {TASK + "MAP_INPUT_RECORDS": 1})], [Job("FetchData", {TASK + "MAP_INPUT_RECORDS": 2})])), 1)

    def test_operations_may_differ_only_where_tasks_commit_folders_of_the_same_name(self):
        operations, written = ("org.apache.hadoop.mapreduce.FileSystemCounter/HDFS_" + name for name in ("WRITE_OPS", "BYTES_WRITTEN"))
        for name, differences in (("library multipleoutputs", 0), ("importtsv_visits", 0), ("a", 1)):
            self.assertEqual(len(counters.compare([Job(name, {operations: 10})], [Job(name, {operations: 11})])), differences)
        self.assertEqual(len(counters.compare([Job("importtsv_x", {written: 1})], [Job("importtsv_x", {written: 2})])), 1)

    def test_splits_of_systemml_name_processes(self):
        def job(size, time):
            times = "org.apache.sysml.runtime.matrix.mapred.MapperBase$Counters/MAP_TIME"
            return Job("G-MR", {TASK + "SPLIT_RAW_BYTES": size, times: time})

        self.assertEqual(counters.compare([job(393, 1)], [job(394, 2)]), [])

    def test_failed_attempts_differ(self):
        found = counters.compare([Job("a", {})], [Job("a", {JOB + "NUM_FAILED_MAPS": 1})])
        self.assertEqual(found, ["counters of a: JobCounter/NUM_FAILED_MAPS is not listed on stock and 1 on Mammoth"])

    def test_jobs_that_run_at_once_come_in_any_order(self):
        self.assertEqual(counters.compare([Job("a", {"g/c": 1}), Job("b", {"g/c": 2})], [Job("b", {"g/c": 2}), Job("a", {"g/c": 1})]), [])

    def test_a_missing_job_differs(self):
        self.assertEqual(counters.compare([Job("a", {})], []), ["1 jobs ran on stock, 0 on Mammoth"])

    def test_of_the_history_server(self):
        groups = [{"counterGroupName": "g", "counter": [{"name": "c", "totalCounterValue": 4}]}]
        self.assertEqual(counters.values(groups), {"g/c": 4})


if __name__ == "__main__":
    unittest.main()
