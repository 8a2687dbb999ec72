// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.CompiledJob;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.leak.Slope;
import org.mammoth.compat.leak.Vitals;

/**
 * Many jobs with job jars, one after the other: nothing of the engine or of the host of
 * ApplicationMasters grows with their number.
 *
 * <p>The first jobs fill caches of Hadoop's and the JVM's own and are not judged. Over the others a
 * straight line is fitted to each sign; the suite fails when a line rises by more than what is
 * allowed, by twice its standard error. {@code mammoth.compat.leak.jobs} says how many jobs are
 * judged. Loaders, threads and files are counted exactly, and what a job forgets is at least one of
 * them; what is measured in bytes settles over dozens of jobs and is judged in long runs only.
 * Every sample goes to {@code leak.csv} in the log folder.
 */
@ExtendWith(SharedCluster.class)
class LeakIT {
  private static final int JOBS = Integer.getInteger("mammoth.compat.leak.jobs", 10);
  private static final boolean LONG = JOBS >= 100;
  private static final int WARM_UP = LONG ? 25 : 6;
  private static final int JARS = 3;

  /**
   * In a short run one more thread of a pool, with the loader of the task that made it do so, is a
   * slope too; a job's own would be one per job.
   */
  private static final double COUNTED = LONG ? 0.05 : 0.5;

  /** Most that may be left behind by one job: below what a single class loader of a job holds. */
  private static final Map<Vitals.Sign, Double> ALLOWED_PER_JOB =
      Map.of(
          Vitals.Sign.LOADERS,
          COUNTED,
          Vitals.Sign.THREADS,
          COUNTED,
          Vitals.Sign.FILES,
          COUNTED,
          Vitals.Sign.HEAP_KB,
          LONG ? 20.0 : Double.MAX_VALUE,
          // Profiles of methods that run a few times per job take 6 KB a job for hundreds of jobs.
          Vitals.Sign.METASPACE_KB,
          LONG ? 20.0 : Double.MAX_VALUE,
          Vitals.Sign.RSS_KB,
          LONG ? 300.0 : Double.MAX_VALUE);

  @Test
  void jobsLeaveNothingBehind(MiniCluster cluster) throws Exception {
    List<CompiledJob> jars = new ArrayList<>();
    for (int jar = 0; jar < JARS; jar++) {
      jars.add(CompiledJob.of(cluster, "leak-jar-" + jar, "v" + jar));
    }
    for (int i = 0; i < WARM_UP; i++) {
      run(jars, i);
    }
    Path table = Path.of(System.getProperty("hadoop.log.dir"), "leak.csv");
    Files.writeString(table, "job,engine,heap_kb,metaspace_kb,loaders,threads,files,rss_kb\n");
    List<String> growing = growing(jars, table, WARM_UP);
    if (!growing.isEmpty() && !LONG) {
      // Of ten samples some rise by chance; what jobs leave behind goes on to grow.
      System.out.println("once more, as of few jobs there seem to grow " + growing);
      growing = growing(jars, table, WARM_UP + JOBS);
    }
    assertThat(growing).as("what grows with the number of jobs, see " + table).isEmpty();
  }

  /** Runs the jobs that are judged, the first of them of that number. */
  private static List<String> growing(List<CompiledJob> jars, Path table, int first)
      throws Exception {
    List<Vitals> engine = new ArrayList<>();
    List<Vitals> appMasterHost = new ArrayList<>();
    String user = System.getProperty("user.name");
    for (int i = first; i < first + JOBS; i++) {
      run(jars, i);
      engine.add(sample(table, i, Engines.of(user)));
      appMasterHost.add(sample(table, i, Engines.appMasterHostOf(user)));
    }
    List<String> growing = new ArrayList<>(growing("engine", engine));
    growing.addAll(growing("ApplicationMaster host", appMasterHost));
    return growing;
  }

  private static Vitals sample(Path table, int job, ProcessHandle process) throws Exception {
    Vitals vitals = Vitals.afterCollection(process);
    Files.writeString(table, job + "," + vitals + "\n", StandardOpenOption.APPEND);
    return vitals;
  }

  private static List<String> growing(String who, List<Vitals> samples) {
    assertThat(samples.stream().map(Vitals::engine).distinct())
        .as("processes of the whole run: " + who)
        .hasSize(1);
    List<String> growing = new ArrayList<>();
    for (Vitals.Sign sign : Vitals.Sign.values()) {
      Slope slope = Slope.of(samples.stream().mapToDouble(vitals -> vitals.of(sign)).toArray());
      System.out.println(who + " " + sign + ": " + slope + " per job");
      if (slope.surelyAbove(ALLOWED_PER_JOB.get(sign))) {
        growing.add(
            who + " " + sign + ": " + slope + " per job, allowed " + ALLOWED_PER_JOB.get(sign));
      }
    }
    return growing;
  }

  private static void run(List<CompiledJob> jars, int number) throws Exception {
    CompiledJob job = jars.get(number % JARS).again("leak-" + number);
    job.submit();
    assertThat(job.await()).as("job " + number).isTrue();
    assertThat(job.words()).containsEntry(job.version() + "-a", 4L);
  }
}
