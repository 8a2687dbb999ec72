// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.serializer.JavaSerialization;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedComparator;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;

/**
 * Makes the job of a seed.
 *
 * <p>The configuration carries the seed under {@link JobPlan#SEED}; the argument is the working
 * folder: input is written to {@code input} below it unless there is one, output goes to the folder
 * named by {@link #OUTPUT}. The returned job is not yet submitted. Its configuration tells the plan
 * under {@link #DESCRIPTION} and {@link #FEATURES}.
 */
public final class RandomJob implements BiFunction<Configuration, Path, Job> {
  static final String OUTPUT = "mammoth.compat.output";
  static final String DESCRIPTION = "mammoth.compat.description";
  static final String FEATURES = "mammoth.compat.features";
  static final String UNSTEADY = "mammoth.compat.unsteady";

  @Override
  public Job apply(Configuration base, Path folder) {
    try {
      return make(base, folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Job make(Configuration base, Path folder) throws IOException {
    Configuration conf = new Configuration(base);
    JobPlan plan = JobPlan.of(conf);
    serializations(conf, plan);
    Path input = new Path(folder, "input");
    if (!input.getFileSystem(conf).exists(input)) {
      new RandomInput(plan, conf).write(input);
    }
    conf.set(DESCRIPTION, plan.describe());
    List<String> features = new ArrayList<>(plan.features());
    conf.getTrimmedStringCollection(Parts.NAMED).forEach(part -> features.add("part-" + part));
    conf.setStrings(FEATURES, features.toArray(new String[0]));
    Parts.write(conf, folder);
    conf.setBoolean(UNSTEADY, plan.countsHangOnTiming());
    tune(conf, plan);
    Job job = plan.oldApi ? OldApiSetup.job(conf, plan, input) : NewApiSetup.job(conf, plan, input);
    shared(job, plan, folder);
    return job;
  }

  /** Names what the plan's types need beyond Hadoop's own. */
  private static void serializations(Configuration conf, JobPlan plan) {
    List<String> names = new ArrayList<>(List.of(WritableSerialization.class.getName()));
    if (plan.uses(Kind.JAVA)) {
      names.add(JavaSerialization.class.getName());
    }
    if (plan.uses(Kind.POINT)) {
      names.add(PointSerialization.class.getName());
    }
    if (names.size() > 1) {
      conf.setStrings("io.serializations", names.toArray(new String[0]));
    }
  }

  private static void tune(Configuration conf, JobPlan plan) {
    conf.setInt(MRJobConfig.IO_SORT_MB, plan.sortMb);
    conf.setInt(MRJobConfig.MAP_MEMORY_MB, plan.mapMb);
    conf.setInt(MRJobConfig.REDUCE_MEMORY_MB, plan.reduceMb);
    conf.setInt(MRJobConfig.MAP_CPU_VCORES, plan.mapVcores);
    conf.setInt(MRJobConfig.REDUCE_CPU_VCORES, plan.reduceVcores);
    conf.setFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, plan.earlySpill ? 0.4f : 0.8f);
    conf.setInt(MRJobConfig.IO_SORT_FACTOR, plan.sortFactor);
    conf.setInt("mapreduce.map.combine.minspills", plan.minSpills);
    conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    conf.setBoolean(MRJobConfig.REDUCE_SPECULATIVE, false);
    conf.setBoolean(MRJobConfig.MAP_OUTPUT_COMPRESS, plan.mapCodec != JobPlan.Codec.NONE);
    conf.set(MRJobConfig.MAP_OUTPUT_COMPRESS_CODEC, codec(plan.mapCodec));
    // Compressed values of Hadoop's TextOutputFormat and SequenceFile alike.
    conf.setBoolean(
        "mapreduce.output.fileoutputformat.compress", plan.outputCodec != JobPlan.Codec.NONE);
    conf.set("mapreduce.output.fileoutputformat.compress.codec", codec(plan.outputCodec));
    conf.set("mapreduce.output.fileoutputformat.compress.type", compression(plan).name());
    conf.setLong(FileInputFormat.SPLIT_MAXSIZE, plan.blockSize());
    conf.setInt(
        "mapreduce.input.lineinputformat.linespermap", plan.size == JobPlan.Size.TINY ? 2 : 600);
    if (plan.tightReduce) {
      conf.setFloat(MRJobConfig.SHUFFLE_MEMORY_LIMIT_PERCENT, 0.0001f);
      conf.setInt(MRJobConfig.REDUCE_MERGE_INMEM_THRESHOLD, 2);
    }
  }

  private static String codec(JobPlan.Codec codec) {
    return codec == JobPlan.Codec.NONE ? JobPlan.Codec.DEFAULT.className() : codec.className();
  }

  private static SequenceFile.CompressionType compression(JobPlan plan) {
    return plan.output == JobPlan.Output.SEQUENCE_BLOCK
        ? SequenceFile.CompressionType.BLOCK
        : SequenceFile.CompressionType.RECORD;
  }

  private static void shared(Job job, JobPlan plan, Path folder) throws IOException {
    Configuration conf = job.getConfiguration();
    job.setJobName("random " + plan.seed);
    job.setNumReduceTasks(plan.reduces);
    job.setMapOutputKeyClass(plan.key.type());
    job.setMapOutputValueClass(plan.value.type());
    boolean typed = plan.reduces == 0 || plan.keepsKey();
    job.setOutputKeyClass(typed ? plan.key.type() : Text.class);
    job.setOutputValueClass(plan.reduces == 0 ? plan.value.type() : Text.class);
    FileOutputFormat.setOutputPath(job, new Path(folder, conf.get(OUTPUT)));
    Class<?> sort =
        switch (plan.order) {
          case NATURAL -> plan.key.writable() ? null : Orders.Natural.class;
          case REVERSE -> Orders.Reverse.class;
          case COARSE -> Orders.Coarse.class;
          case FIELD -> KeyFieldBasedComparator.class;
          // to upstream it is a comparison of all bytes, whatever they are
          case BYTES -> BooleanWritable.Comparator.class;
          case CONTRARY -> Orders.Contrary.class;
        };
    if (sort != null) {
      conf.setClass(MRJobConfig.KEY_COMPARATOR, sort, RawComparator.class);
      conf.set(KeyFieldBasedComparator.COMPARATOR_OPTIONS, "-k1.1,1.2r");
    }
    if (plan.order == JobPlan.Order.CONTRARY) {
      conf.setClass(MRJobConfig.GROUP_COMPARATOR_CLASS, Orders.Apart.class, RawComparator.class);
    }
    if (plan.grouping) {
      conf.setClass(MRJobConfig.GROUP_COMPARATOR_CLASS, Orders.Coarse.class, RawComparator.class);
    }
    if (plan.spread == JobPlan.Spread.TOTAL_ORDER) {
      writePartitions(job, plan, new Path(folder, "partitions"));
    }
    if (plan.classPathFile) {
      Path table = new Path(folder, "table.jar");
      writeTable(conf, table);
      job.addFileToClassPath(table.getFileSystem(conf).makeQualified(table));
    }
  }

  /** Split points, one fewer than reduces, strictly ascending in the job's sort order. */
  @SuppressWarnings("unchecked")
  private static void writePartitions(Job job, JobPlan plan, Path file) throws IOException {
    Configuration conf = job.getConfiguration();
    TreeSet<Object> points =
        new TreeSet<>((Comparator<Object>) (Comparator<?>) job.getSortComparator());
    for (long token = 0; points.size() < plan.reduces - 1; token++) {
      points.add(plan.key.of(token * 7 + 1));
    }
    TotalOrderPartitioner.setPartitionFile(conf, file.getFileSystem(conf).makeQualified(file));
    conf.setBoolean(TotalOrderPartitioner.NATURAL_ORDER, plan.order == JobPlan.Order.NATURAL);
    try (SequenceFile.Writer out =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(file.getFileSystem(conf).makeQualified(file)),
            SequenceFile.Writer.keyClass(plan.key.type()),
            SequenceFile.Writer.valueClass(NullWritable.class))) {
      for (Object point : points) {
        out.append(point, NullWritable.get());
      }
    }
  }

  /** A jar with one resource, which maps need. */
  private static void writeTable(Configuration conf, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(jar.getFileSystem(conf).create(jar, true))) {
      ZipEntry entry = new ZipEntry(Emission.TABLE);
      entry.setTime(0);
      out.putNextEntry(entry);
      out.write("salt=4711\n".getBytes(StandardCharsets.UTF_8));
      out.closeEntry();
    }
  }

  static boolean sequenceOutput(JobPlan plan) {
    return plan.output != JobPlan.Output.TEXT;
  }
}
