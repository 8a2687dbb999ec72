package org.mammoth.mapreduce.sort;

import java.io.IOException;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Task.CombinerRunner;
import org.apache.hadoop.util.Progress;
import org.mammoth.engine.sort.Combiner;
import org.mammoth.engine.sort.MergeQueue;
import org.mammoth.engine.sort.SegmentWriter;

/**
 * Runs the job's combiner, of the old or the new interface, on merged records. One thread at a
 * time.
 */
final class JobCombiner<K, V> implements Combiner, OutputCollector<K, V> {

  private final CombinerRunner<K, V> runner;
  private final Counter combined;
  private final DataOutputBuffer key = new DataOutputBuffer();
  private final DataOutputBuffer value = new DataOutputBuffer();
  private final Serializer<K> keySerializer;
  private final Serializer<V> valueSerializer;
  private SegmentWriter out;

  JobCombiner(JobConf job, CombinerRunner<K, V> runner, Counter combined) throws IOException {
    this.runner = runner;
    this.combined = combined;
    SerializationFactory serializations = new SerializationFactory(job);
    @SuppressWarnings("unchecked")
    Class<K> keyClass = (Class<K>) job.getMapOutputKeyClass();
    @SuppressWarnings("unchecked")
    Class<V> valueClass = (Class<V>) job.getMapOutputValueClass();
    keySerializer = serializations.getSerializer(keyClass);
    keySerializer.open(key);
    valueSerializer = serializations.getSerializer(valueClass);
    valueSerializer.open(value);
  }

  @Override
  public void combine(MergeQueue sorted, SegmentWriter writer)
      throws IOException, InterruptedException {
    out = writer;
    MergedRecords records = new MergedRecords(sorted, new Progress());
    // upstream's runners expect that there is a first record
    try {
      runner.combine(records, this);
    } catch (ClassNotFoundException e) {
      throw new IOException("the job's combiner can't be loaded", e);
    } finally {
      out = null;
    }
  }

  @Override
  public void collect(K k, V v) throws IOException {
    combined.increment(1);
    key.reset();
    keySerializer.serialize(k);
    value.reset();
    valueSerializer.serialize(v);
    out.append(key.getData(), 0, key.getLength(), value.getData(), 0, value.getLength());
  }
}
