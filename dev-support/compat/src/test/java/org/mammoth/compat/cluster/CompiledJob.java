// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/**
 * A word count whose classes are compiled here and now, so that two jars can hold different classes
 * of one name.
 *
 * <p>Every word is emitted behind the version that is compiled in.
 */
public final class CompiledJob {
  private static final String PLAIN =
      """
      package compiled;

      import java.util.function.BiFunction;
      import org.apache.hadoop.conf.Configuration;
      import org.apache.hadoop.fs.Path;
      import org.apache.hadoop.io.*;
      import org.apache.hadoop.mapreduce.*;
      import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
      import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

      public class Words implements BiFunction<Configuration, Path, Job> {
        public static class Splitter extends Mapper<LongWritable, Text, KEY, LongWritable> {
          protected void map(LongWritable at, Text line, Context context) throws java.io.IOException, InterruptedException {
            for (String word : line.toString().split(" ")) {
              context.write(new KEY(Version.NAME.get() + "-" + word), new LongWritable(1));
            }
          }
        }

        public static class Adder extends Reducer<KEY, LongWritable, Text, LongWritable> {
          protected void reduce(KEY word, Iterable<LongWritable> ones, Context context)
              throws java.io.IOException, InterruptedException {
            long sum = 0;
            for (LongWritable one : ones) {
              sum += one.get();
            }
            context.write(new Text(word.toString()), new LongWritable(sum));
          }
        }

        public Job apply(Configuration conf, Path folder) {
          try {
            Job job = Job.getInstance(conf, "compiled " + folder);
            job.setMapperClass(Splitter.class);
            job.setReducerClass(Adder.class);
            job.setMapOutputKeyClass(KEY.class);
            job.setMapOutputValueClass(LongWritable.class);
            job.setOutputKeyClass(Text.class);
            job.setOutputValueClass(LongWritable.class);
            FileInputFormat.addInputPath(job, new Path(folder, "input"));
            FileOutputFormat.setOutputPath(job, new Path(folder, "output"));
            return job;
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        }
      }
      """;
  private static final String VERSION =
      """
      package compiled;

      public class Version {
        public static final ThreadLocal<String> NAME = ThreadLocal.withInitial(() -> "VERSION");
      }
      """;
  private static final String JAVA_KEY =
      """
      package compiled;

      public record JavaKey(String word) implements java.io.Serializable, Comparable<JavaKey> {
        public int compareTo(JavaKey other) {
          return word.compareTo(other.word);
        }

        public String toString() {
          return word;
        }
      }
      """;

  private final MiniCluster cluster;
  private final String version;
  private final Path folder;
  private final JobCode code;
  private final Job job;

  private CompiledJob(
      MiniCluster cluster, String name, String version, JobCode code, Configuration conf)
      throws Exception {
    this.cluster = cluster;
    this.version = version;
    this.code = code;
    folder = new Path("/compiled/" + name);
    FileSystem fs = cluster.fs();
    fs.delete(folder, true);
    for (int file = 0; file < 2; file++) {
      try (OutputStream out = fs.create(new Path(folder, "input/" + file))) {
        out.write("a b a\nb\n".getBytes(StandardCharsets.UTF_8));
      }
    }
    job = code.make("compiled.Words", conf, folder);
  }

  /** A job of Writables. */
  public static CompiledJob of(MiniCluster cluster, String name, String version) throws Exception {
    JobCode code = compile(cluster, name, version, "Text");
    return new CompiledJob(cluster, name, version, code, code.conf(cluster.conf()));
  }

  /** The same job again from the same jar. */
  public CompiledJob again(String name) throws Exception {
    return new CompiledJob(cluster, name, version, code, code.conf(cluster.conf()));
  }

  /** A job whose keys are Java-serialised objects of a class of its own. */
  public static CompiledJob withJavaSerialization(MiniCluster cluster, String name, String version)
      throws Exception {
    JobCode code = compile(cluster, name, version, "JavaKey");
    Configuration conf = code.conf(cluster.conf());
    conf.set(
        "io.serializations",
        "org.apache.hadoop.io.serializer.WritableSerialization,org.apache.hadoop.io.serializer.JavaSerialization");
    conf.set(
        "mapreduce.job.output.key.comparator.class",
        "org.apache.hadoop.io.serializer.JavaSerializationComparator");
    return new CompiledJob(cluster, name, version, code, conf);
  }

  private static JobCode compile(MiniCluster cluster, String name, String version, String key)
      throws IOException {
    java.nio.file.Path classes =
        SourceCompiler.compile(
            Map.of(
                "compiled.Words", PLAIN.replace("KEY", key),
                "compiled.Version", VERSION.replace("VERSION", version),
                "compiled.JavaKey", JAVA_KEY),
            List.of(),
            List.of(),
            cluster.home().resolve("compiled").resolve(name));
    java.nio.file.Path jar = cluster.home().resolve("jars").resolve("compiled-" + name + ".jar");
    JobCode.pack(classes, jar);
    return JobCode.of(jar);
  }

  /** What is compiled into this job's classes. */
  public String version() {
    return version;
  }

  /** Submits the job. */
  public void submit() throws IOException, InterruptedException, ClassNotFoundException {
    code.submit(job);
  }

  /** Waits for the job's end; true if it succeeded. */
  public boolean await() throws IOException, InterruptedException, ClassNotFoundException {
    return job.waitForCompletion(false);
  }

  /** The job's output. */
  public Map<String, Long> words() throws IOException {
    Map<String, Long> words = new TreeMap<>();
    FileSystem fs = cluster.fs();
    for (FileStatus file : fs.listStatus(new Path(folder, "output"))) {
      try (FSDataInputStream in = fs.open(file.getPath())) {
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
          if (!line.isEmpty()) {
            words.put(line.split("\t")[0], Long.parseLong(line.split("\t")[1]));
          }
        }
      }
    }
    return words;
  }
}
