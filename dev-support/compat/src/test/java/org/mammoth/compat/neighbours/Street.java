// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.diff.JobCounts;
import org.mammoth.compat.diff.Notes;

/** Runs hostile programs and witnesses on a cluster and tells what they saw. Thread-safe. */
final class Street {
  private static final org.apache.hadoop.fs.Path ROOT =
      new org.apache.hadoop.fs.Path("/neighbours");
  private static final org.apache.hadoop.fs.Path INPUT =
      new org.apache.hadoop.fs.Path(ROOT, "input");
  private static final String WITNESS = "org.mammoth.compat.neighbours.WitnessJob";
  private static final String HOSTILE = "org.mammoth.compat.neighbours.HostileJob";
  private static final boolean MADE = Boolean.getBoolean("mammoth.compat.made");

  private final MiniCluster cluster;
  private final Path jars;
  private final JobCode witness;
  private final Masks masks;
  private final AtomicInteger runs = new AtomicInteger();

  Street(MiniCluster cluster) throws IOException {
    this.cluster = cluster;
    jars = cluster.home().resolve("jars").resolve("neighbours");
    witness = Program.packWitness(jars, null);
    masks = new Masks(cluster);
    FileSystem fs = cluster.fs();
    fs.mkdirs(ROOT);
    fs.setPermission(ROOT, new FsPermission("1777"));
    try (OutputStream out = fs.create(INPUT)) {
      out.write("the cat sat\non the mat\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Which side of the comparison a job is on. */
  enum Place {
    ENGINE,
    STOCK
  }

  /** A job that was submitted. */
  final class Started {
    private final Job job;
    private final UserGroupInformation user;
    private final org.apache.hadoop.fs.Path output;
    private final Path notes;

    private Started(
        Job job, UserGroupInformation user, org.apache.hadoop.fs.Path output, Path notes) {
      this.job = job;
      this.user = user;
      this.output = output;
      this.notes = notes;
    }

    /** Whether its first map has done its deeds and waits for {@link #letGo}, or it has ended. */
    boolean isHeldOrEnded() throws IOException, InterruptedException {
      return Files.exists(notes.resolve("m-0-committed.reached")) || job.isComplete();
    }

    /** Waits for that. */
    Started held() throws IOException, InterruptedException {
      while (!isHeldOrEnded()) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      return this;
    }

    /** Opens the gate that {@code held} closed. */
    void letGo() throws IOException {
      Files.writeString(notes.resolve("m-0-committed.open"), "");
    }

    /** Waits for its end. */
    Seen seen() throws Exception {
      boolean good = as(user, () -> job.waitForCompletion(false));
      ApplicationId application = TypeConverter.toYarn(job.getJobID()).getAppId();
      Map<String, String> lines = new TreeMap<>();
      lines.put("job", good ? "succeeded" : "failed");
      if (good) {
        as(user, () -> output(output, lines));
      }
      logs(application, lines);
      lines.put("containers", cluster.containers(application).toString());
      JobCounts counts = JobCounts.of(cluster, application, job.getCounters());
      return new Seen(lines, Notes.read(notes), counts);
    }
  }

  /** Starts the ordinary job. */
  Started witness(String user, Place place) throws Exception {
    return start(witness, WITNESS, user, place, new Configuration(false));
  }

  /** Starts the ordinary job with more looks, whose classes lie in a folder. */
  Started witness(String user, Place place, List<String> looks, Path classes) throws Exception {
    Configuration extra = new Configuration(false);
    extra.setStrings("mammoth.compat.looks", looks.toArray(new String[0]));
    JobCode code = Program.packWitness(jars.resolve("witness-" + looks.get(0)), classes);
    return start(code, WITNESS, user, place, extra);
  }

  /** Starts a job of as many maps as a crowd has deeds, each of which commits one of them. */
  Started each(Program crowd, String user, Place place) throws Exception {
    org.apache.hadoop.fs.Path lines =
        new org.apache.hadoop.fs.Path(ROOT, "lines-of-" + crowd.name());
    try (OutputStream out = cluster.fs().create(lines)) {
      for (int i = 0; i < crowd.deeds().size(); i++) {
        out.write("a line\n".getBytes(StandardCharsets.UTF_8));
      }
    }
    Configuration extra = new Configuration(false);
    crowd.configure(extra, jars);
    extra.setBoolean("mammoth.compat.deeds.each", true);
    // What ends its own task on stock does so on an engine, and the others are not to suffer.
    extra.setInt("mapreduce.map.failures.maxpercent", 100);
    extra.set("mammoth.compat.deeds.where", "map");
    extra.set("mammoth.compat.input", lines.toString());
    return start(crowd.pack(jars), HOSTILE, user, place, extra);
  }

  /**
   * Starts a program's job.
   *
   * @param where when its tasks commit the deeds: map, mapped, reduce, reduced, with commas
   * @param held whether its map waits after its deeds until it is let go
   */
  Started hostile(Program program, String user, Place place, String where, boolean held)
      throws Exception {
    Configuration extra = new Configuration(false);
    program.configure(extra, jars);
    extra.set("mammoth.compat.deeds.where", where);
    if (held) {
      extra.set("mammoth.compat.gates", "m-0-committed");
    }
    for (String name : program.classPathFiles()) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(ROOT, name);
      try (OutputStream out = cluster.fs().create(file)) {
        out.write("from the class path\n".getBytes(StandardCharsets.UTF_8));
      }
      extra.set("mammoth.compat.class.path.file", cluster.fs().makeQualified(file).toString());
    }
    return start(program.pack(jars), HOSTILE, user, place, extra);
  }

  private Started start(JobCode code, String factory, String name, Place place, Configuration extra)
      throws Exception {
    int run = runs.incrementAndGet();
    UserGroupInformation user = UserGroupInformation.createRemoteUser(name);
    org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path(ROOT, name + "-" + run);
    Path notes = Files.createDirectories(cluster.home().resolve("notes/neighbours-" + run));
    notes.toFile().setWritable(true, false);
    return as(
        user,
        () -> {
          Configuration conf = code.conf(cluster.conf());
          extra.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
          conf.setBoolean("mammoth.engine.enabled", place == Place.ENGINE);
          conf.setBoolean("mammoth.compat.deeds.made", MADE);
          conf.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
          conf.setInt(MRJobConfig.REDUCE_MAX_ATTEMPTS, 1);
          conf.setInt(MRJobConfig.TASK_TIMEOUT, 40_000);
          conf.setIfUnset("mammoth.compat.input", INPUT.toString());
          conf.set("mammoth.compat.notes", notes.toString());
          Job job = code.make(factory, conf, output);
          String file = conf.get("mammoth.compat.class.path.file");
          if (file != null) {
            job.addFileToClassPath(new org.apache.hadoop.fs.Path(file));
          }
          code.submit(job);
          return new Started(job, user, output, notes);
        });
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }

  /** Words are one topic, sorted; what was seen is a topic each. */
  private Void output(org.apache.hadoop.fs.Path folder, Map<String, String> lines)
      throws IOException {
    FileSystem fs = FileSystem.get(cluster.conf());
    // Lines of equal words come in no order that a sort promises.
    List<String> words = new ArrayList<>();
    for (FileStatus file : fs.listStatus(folder)) {
      try (FSDataInputStream in = fs.open(file.getPath())) {
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
          int tab = line.indexOf('\t');
          if (line.startsWith("word ")) {
            words.add(line);
          } else if (tab >= 0 && !masks.isPassedOver(line.substring(0, tab))) {
            lines.put(line.substring(0, tab), masks.mask(line.substring(tab + 1)));
          }
        }
      }
    }
    lines.put("words", words.stream().sorted().toList().toString());
    return null;
  }

  /** What the witness said, without times, and whatever a hostile program left in the logs. */
  private void logs(ApplicationId application, Map<String, String> lines) throws IOException {
    Path folder = cluster.home().resolve("logs").resolve(application.toString());
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
        for (String line : read(file)) {
          int says = line.indexOf("witness-says");
          if (says >= 0) {
            String topic = "log " + file.getFileName() + " " + line.substring(says);
            lines.merge(topic, "once", (one, more) -> one + " more");
          }
          if (line.contains("hostile-mark") && !line.contains("mammoth.compat")) {
            lines.merge("log " + file.getFileName() + " mark", "found", (one, more) -> one);
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static List<String> read(Path file) throws IOException {
    return List.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).split("\n"));
  }
}
