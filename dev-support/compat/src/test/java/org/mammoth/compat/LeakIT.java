package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.CompiledJob;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.leak.Slope;
import org.mammoth.compat.leak.Vitals;

/**
 * Many jobs with job jars, one after the other: nothing of the engine grows with their number.
 *
 * <p>{@code mammoth.compat.leak.jobs} says how many. Every sample goes to {@code leak.csv} in the
 * log folder.
 */
@Tag("long")
@ExtendWith(SharedCluster.class)
class LeakIT {
  private static final int JOBS = Integer.getInteger("mammoth.compat.leak.jobs", 20);
  private static final int JARS = 3;

  /** Most that may be left behind by one job: below what a single class loader of a job holds. */
  private static final Map<Vitals.Sign, Double> ALLOWED_PER_JOB =
      Map.of(
          Vitals.Sign.HEAP_KB, 20.0,
          // The first dozens of jobs still make reflection accessors and lambdas of Hadoop's own:
          // 26 KB a job were seen over jobs 10 to 20, and falling. The long form sees past that.
          Vitals.Sign.METASPACE_KB, JOBS < 100 ? 40.0 : 10.0,
          Vitals.Sign.THREADS, 0.05,
          Vitals.Sign.FILES, 0.05,
          Vitals.Sign.RSS_KB, 300.0);

  @Test
  void jobsLeaveNothingBehind(MiniCluster cluster) throws Exception {
    List<CompiledJob> jars = new ArrayList<>();
    for (int jar = 0; jar < JARS; jar++) {
      jars.add(CompiledJob.of(cluster, "leak-jar-" + jar, "v" + jar));
    }
    Path table = Path.of(System.getProperty("hadoop.log.dir"), "leak.csv");
    Files.writeString(table, "job,engine,heap_kb,metaspace_kb,threads,files,rss_kb\n");
    List<Vitals> samples = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      CompiledJob job = jars.get(i % JARS).again("leak-" + i);
      job.submit();
      assertThat(job.await()).as("job " + i).isTrue();
      assertThat(job.words()).containsEntry(job.version() + "-a", 4L);
      ProcessHandle engine = Engines.of(System.getProperty("user.name"));
      Vitals vitals = Vitals.afterCollection(engine);
      samples.add(vitals);
      Files.writeString(table, i + "," + vitals + "\n", StandardOpenOption.APPEND);
    }
    assertThat(samples.stream().map(Vitals::engine).distinct())
        .as("engines of the whole run")
        .hasSize(1);
    List<Vitals> settled = samples.subList(JOBS / 2, JOBS);
    List<String> growing = new ArrayList<>();
    for (Vitals.Sign sign : Vitals.Sign.values()) {
      Slope slope = Slope.of(settled.stream().mapToDouble(vitals -> vitals.of(sign)).toArray());
      System.out.println(sign + ": " + slope + " per job");
      if (slope.surelyAbove(ALLOWED_PER_JOB.get(sign))) {
        growing.add(sign + ": " + slope + " per job, allowed " + ALLOWED_PER_JOB.get(sign));
      }
    }
    assertThat(growing).as("what grows with the number of jobs, see " + table).isEmpty();
  }
}
