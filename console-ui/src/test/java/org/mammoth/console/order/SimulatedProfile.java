// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

/** What an engine under a sort samples. */
final class SimulatedProfile {

  static final String DONE =
      """
      {"state":"done","startedMs":1700000000000,"seconds":10,"periodMs":10,"cpu":{
      "attempt_1_0001_m_000007_0;java.lang.Thread.run;org.mammoth.Task.run;\
      org.apache.hadoop.mapreduce.Mapper.run;user.Tokenizer.map;java.lang.String.split":420,
      "attempt_1_0001_m_000007_0;java.lang.Thread.run;org.mammoth.Task.run;\
      org.apache.hadoop.mapreduce.Mapper.run;user.Tokenizer.map;org.mammoth.Collector.collect":310,
      "attempt_1_0001_m_000007_0;java.lang.Thread.run;org.mammoth.Task.run;\
      org.mammoth.Sorter.sort":160,
      "attempt_1_0001_r_000001_0;java.lang.Thread.run;org.mammoth.Task.run;\
      org.mammoth.MergeQueue.next":250,
      "writer-…;java.lang.Thread.run;org.mammoth.DiskQueue.write":45},"allocation":{
      "attempt_1_0001_m_000007_0;java.lang.Thread.run;org.mammoth.Task.run;\
      org.apache.hadoop.mapreduce.Mapper.run;user.Tokenizer.map;java.lang.String.split":94000000,
      "attempt_1_0001_r_000001_0;java.lang.Thread.run;org.mammoth.Task.run":1200000}}
      """;

  private SimulatedProfile() {}
}
