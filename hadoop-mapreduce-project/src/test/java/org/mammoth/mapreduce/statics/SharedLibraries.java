// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFilter.MD5Filter;
import org.mammoth.engine.isolation.TaskProcess;

/** Libraries whose static fields two jobs must not share, as the census has found. */
final class SharedLibraries {

  private static final int KEYS = 20_000;

  private SharedLibraries() {}

  /** A job's class makes such a constant as it is initialised; the next job's does so again. */
  static void constants() throws Exception {
    AttributeKey<Object> known = AttributeKey.valueOf("known to all");
    Callable<AttributeKey<Object>> make =
        () -> {
          SharedJvm.require(AttributeKey.valueOf("known to all") == known, "known no more");
          AttributeKey<Object> mine = AttributeKey.newInstance("a job's");
          SharedJvm.require(AttributeKey.valueOf("a job's") == mine, "another of the name");
          return mine;
        };
    AttributeKey<Object> first = SharedJvm.in(SharedJvm.newTask(), make);
    AttributeKey<Object> second = SharedJvm.in(SharedJvm.newTask(), make);
    SharedJvm.require(first != second, "one constant for two jobs");
    SharedJvm.require(!AttributeKey.exists("a job's"), "a job's constant is the engine's");
  }

  /** Two tasks filter by digests of the same keys, at the same time. */
  static void digests() throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    Callable<List<Integer>> filter =
        () -> {
          MD5Filter taken = new MD5Filter();
          Configuration conf = new Configuration(false);
          MD5Filter.setFrequency(conf, 2);
          taken.setConf(conf);
          start.await();
          List<Integer> accepted = new ArrayList<>();
          for (int i = 0; i < KEYS; i++) {
            if (taken.accept(new Text("key " + i))) {
              accepted.add(i);
            }
          }
          return accepted;
        };
    FutureTask<List<Integer>> first = new FutureTask<>(filter);
    TaskProcess task = SharedJvm.newTask();
    new Thread(task.threads(), first, "main").start();
    List<Integer> second = SharedJvm.in(SharedJvm.newTask(), filter);
    SharedJvm.require(first.get().equals(second), "digests of two tasks are mixed");
  }
}
