// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.Task.TaskReporter;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.mammoth.engine.config.SortKeys;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.sort.MapSorter;
import org.mammoth.engine.sort.RecordBuffer;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.mapreduce.buffers.JobWeight;
import org.mammoth.mapreduce.buffers.MapBuffers;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The map side of a task in the engine: upstream's MapOutputCollector over the engine's elements,
 * sort buffer and send buffer. Leaves the same file, index and counters as upstream's. Outside an
 * engine {@link #init} throws, and the task goes on with the next collector of its list.
 */
public final class MammothCollector<K, V> implements MapOutputCollector<K, V> {

  private static final Logger LOG = LoggerFactory.getLogger(MammothCollector.class);

  private static final int DEFAULT_COMBINE_MIN_SPILLS = 3;
  private static final int COUNT_AT = 256;
  private static final String INDEX_SUFFIX = ".index";

  private MapTask task;
  private JobConf job;
  private TaskReporter reporter;
  private ProgressFlag progress;
  private TaskBuffers buffers;
  private MapBuffers memory;
  private FileSystem files;
  private SegmentFormat format;
  private int partitions;
  private Class<K> keyClass;
  private Class<V> valueClass;
  private Serializer<K> keySerializer;
  private Serializer<V> valueSerializer;
  private boolean plainKey;
  private boolean plainValue;
  private Counter outputBytes;
  private Counter outputRecords;
  private Counter spilledRecords;
  private int uncounted;
  private long uncountedBytes;
  private SpillRuns runs;
  private MapSorter sorter;
  private RecordBuffer records;

  @Override
  public void init(Context context) throws IOException, ClassNotFoundException {
    try {
      begin(context);
    } catch (LinkageError e) {
      // of an exception only upstream's list of collectors goes on
      throw new IOException("a class of the job's is missing, or does not fit", e);
    }
  }

  @SuppressWarnings("unchecked")
  private synchronized void begin(Context context) throws IOException, ClassNotFoundException {
    buffers = TaskBuffers.ofCurrentTask();
    if (buffers == null) {
      throw new IOException("this task does not run in an engine");
    }
    memory = buffers.openMap(JobWeight.of(context.getJobConf()));
    task = context.getMapTask();
    job = context.getJobConf();
    reporter = context.getReporter();
    progress = new ProgressFlag(reporter);
    partitions = job.getNumReduceTasks();
    files = FileSystem.getLocal(job).getRaw();
    format = new SegmentFormat(job);
    outputBytes = reporter.getCounter(TaskCounter.MAP_OUTPUT_BYTES);
    outputRecords = reporter.getCounter(TaskCounter.MAP_OUTPUT_RECORDS);
    spilledRecords = reporter.getCounter(TaskCounter.SPILLED_RECORDS);
    MapOutputFile names = task.getMapOutputFile();
    runs = new SpillRuns(job, files, names, format, memory.sort(), buffers.files(), spilledRecords);
    JobCombiner<K, V> combiner = JobCombiner.of(job, task.getTaskID(), reporter);
    sorter =
        new MapSorter(
            KeyOrders.of(job.getOutputKeyComparator()),
            partitions,
            memory.elements(),
            memory.slabBytes(),
            runs,
            combiner,
            job.getInt(MRJobConfig.MAP_COMBINE_MIN_SPILLS, DEFAULT_COMBINE_MIN_SPILLS),
            progress::raise);
    if (SortKeys.STOCK_ORDER.get(job) && orderShows(combiner)) {
      sorter.sortLikeUpstream(StockSpill.settings(job));
    }
    if (SortKeys.HASH_GROUPING.get(job)) {
      if (combiner == null) {
        sorter.groupBeforeSort();
      } else {
        sorter.combineBeforeSort(combiner);
      }
    }
    records = sorter.buffer();
    buffers.onEnd(this::release);
    keyClass = (Class<K>) job.getMapOutputKeyClass();
    valueClass = (Class<V>) job.getMapOutputValueClass();
    SerializationFactory serializations = new SerializationFactory(job);
    keySerializer = serializations.getSerializer(keyClass);
    valueSerializer = serializations.getSerializer(valueClass);
    plainKey = PlainWritables.writeThemselves(keyClass, keySerializer);
    plainValue = PlainWritables.writeThemselves(valueClass, valueSerializer);
    OutputStream stream = new DataOutputStream(records);
    keySerializer.open(stream);
    valueSerializer.open(stream);
  }

  /** Whether the job's output may depend on the order of equal keys, or on what is combined. */
  private boolean orderShows(JobCombiner<K, V> combiner) {
    return combiner == null ? !StockSpill.isFoldedByReduce(job) : !combiner.foldsExactly();
  }

  @Override
  public synchronized void collect(K key, V value, int partition) throws IOException {
    progress.raise();
    if (key.getClass() != keyClass) {
      throw mismatch("key", keyClass, key);
    }
    if (value.getClass() != valueClass) {
      throw mismatch("value", valueClass, value);
    }
    if (partition < 0 || partition >= partitions) {
      throw new IOException("Illegal partition for " + key + " (" + partition + ")");
    }
    try {
      uncountedBytes += put(records, key, value, partition);
    } catch (IOException | RuntimeException e) {
      if (records.hasFailedWith(e)) {
        throw spillFailed(e);
      }
      throw e;
    } catch (TaskExit | ThreadDeath | OutOfMemoryError e) {
      throw e; // the end of the task, or of more than it
    } catch (Error e) {
      if (records.hasFailedWith(e)) {
        throw spillFailed(e);
      }
      throw e;
    }
    if (++uncounted == COUNT_AT) {
      count();
    }
  }

  /** Upstream's words: what a combiner throws is no failure of the mapper's own. */
  private static IOException spillFailed(Throwable cause) {
    return new IOException("Spill failed", cause);
  }

  private int put(RecordBuffer buffer, K key, V value, int partition) throws IOException {
    buffer.begin();
    if (plainKey) {
      ((Writable) key).write(buffer);
    } else {
      keySerializer.serialize(key);
    }
    buffer.endKey();
    if (plainValue) {
      ((Writable) value).write(buffer);
    } else {
      valueSerializer.serialize(value);
    }
    return buffer.end(partition);
  }

  /** Counters take a lock each; records are told to them by the batch. */
  private void count() {
    outputRecords.increment(uncounted);
    outputBytes.increment(uncountedBytes);
    uncounted = 0;
    uncountedBytes = 0;
  }

  private static IOException mismatch(String what, Class<?> expected, Object found) {
    return new IOException(
        "Type mismatch in "
            + what
            + " from map: expected "
            + expected.getName()
            + ", received "
            + found.getClass().getName());
  }

  @Override
  public synchronized void flush() throws IOException, InterruptedException {
    count();
    MapOutputFile names = task.getMapOutputFile();
    Path ordinary =
        names.getOutputFileForWrite(
            runs.outputSize(outputBytes.getValue(), sorter.bytesInMemory(), partitions));
    try (MapOutputWriter output =
        new MapOutputWriter(
            job,
            files,
            format,
            ordinary,
            partitions,
            buffers.files(),
            IoClass.ACTIVE,
            memory.send())) {
      sorter.finish(output);
      output.finish();
      // Upstream's InVolume methods take the path of a spill, not that of the output.
      output.writeIndex(output.path().suffix(INDEX_SUFFIX));
      spilledRecords.increment(output.records());
      reporter.getCounter(TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES).increment(output.length());
      if (!output.path().equals(ordinary)) {
        // Upstream looks for it in the task's directories, and an SSD is none of them.
        names.getConf().setStrings(MRConfig.LOCAL_DIR, buffers.localDirs().toArray(new String[0]));
      }
      CacheFile kept = output.takeMemory();
      buffers.publish(
          new MapOutput(
              task.getJobID().toString(),
              task.getTaskID().toString(),
              output.path().toUri().getPath(),
              output.index(),
              kept,
              output.sums()));
      LOG.info(
          "Map output: {} bytes, {} in memory, {} runs and {} large records of which {} went to disk",
          output.length(),
          kept == null ? 0 : output.length(),
          sorter.runs(),
          sorter.largeRecords(),
          runs.spills());
    }
    task.getSortPhase().complete();
  }

  @Override
  public void close() throws IOException {
    release();
  }

  private synchronized void release() {
    try {
      sorter.close();
    } catch (IOException e) {
      LOG.warn("Deleting the spill files of {}", task.getTaskID(), e);
    }
  }
}
