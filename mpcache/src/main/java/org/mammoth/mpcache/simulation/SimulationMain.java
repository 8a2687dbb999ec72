// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.ReplacementPolicy;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code hdfs mpcache -simulate TRACE}: what a cache of some size would have done for a trace. */
@Command(
    name = "mpcache",
    description = "Simulates the SSD cache on a trace of jobs.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SimulationMain implements Callable<Integer> {

  @Option(
      names = "-simulate",
      paramLabel = "TRACE",
      description =
          "run this trace: lines of type, data set, blocks, bytes per block, localized bytes, with"
              + " tabs between them")
  private Path simulate;

  @Option(names = "-generate", paramLabel = "TRACE", description = "write a trace of the paper's")
  private Path generate;

  @Option(names = "-paper", paramLabel = "FOLDER", description = "write the paper's figures")
  private Path paper;

  @Option(
      names = "-cache",
      split = ",",
      defaultValue = "80",
      description = "SSD space per slave in GiB, several with commas (${DEFAULT-VALUE})")
  private double[] cacheGiB;

  @Option(
      names = "-policy",
      split = ",",
      defaultValue = "mpCache,LRU,LFU,LFU-history",
      description = "policies to compare (${DEFAULT-VALUE})")
  private String[] policies;

  @Option(
      names = "-slaves",
      defaultValue = "6",
      description = "nodes of the cluster (${DEFAULT-VALUE})")
  private int slaves;

  @Option(
      names = "-warm-up",
      defaultValue = "0",
      description = "jobs at the beginning that do not count (${DEFAULT-VALUE})")
  private int warmUp;

  @Option(
      names = "-jobs",
      defaultValue = "1000",
      description = "length of a generated trace (${DEFAULT-VALUE})")
  private int jobs;

  @Option(
      names = "-zipf",
      defaultValue = "1",
      description = "Zipf parameter of a generated trace (${DEFAULT-VALUE})")
  private double zipf;

  @Option(
      names = "-seed",
      defaultValue = "1",
      description = "seed of a generated trace (${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "-seeds",
      defaultValue = "5",
      description = "traces per figure of -paper (${DEFAULT-VALUE})")
  private int seeds;

  @Option(names = "-json", description = "print an array of objects instead of a table")
  private boolean json;

  @Spec private CommandSpec spec;

  /** Exit code 0, 1 if something failed, 2 for a wrong command line. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new SimulationMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    if (simulate == null && generate == null && paper == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "one of -simulate, -generate and -paper is needed");
    }
    if (generate != null) {
      TraceFile.write(PaperTrace.make(jobs, zipf, seed), generate);
    }
    if (simulate != null) {
      simulate(TraceFile.read(simulate), spec.commandLine().getOut());
    }
    if (paper != null) {
      new PaperFigures(slaves, jobs, seeds).write(paper);
    }
    return 0;
  }

  private void simulate(List<TraceJob> trace, PrintWriter out) {
    if (trace.size() <= warmUp) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "the trace has " + trace.size() + " jobs, none is left after -warm-up " + warmUp);
    }
    out.println(
        json
            ? "["
            : "policy\tcache GiB\tjobs\thit rate\tblock hit rate\tcomplete\tspeed-up\tseconds");
    String row =
        json
            ? "%s{\"policy\":\"%s\",\"cacheGiB\":%.1f,\"jobs\":%d,\"hitRate\":%.3f,"
                + "\"blockHitRate\":%.3f,\"complete\":%.3f,\"speedUp\":%.3f,\"seconds\":%.0f}%n"
            : "%s%s\t%.1f\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.0f%n";
    String separator = "";
    for (double cache : cacheGiB) {
      for (String name : policies) {
        SimulationResult result =
            new Simulator(SimulatedCluster.of(slaves, cache), policy(name), CostModel.PAPER)
                .run(trace, warmUp);
        out.printf(
            Locale.ROOT,
            row,
            separator,
            result.policy(),
            cache,
            result.jobs(),
            result.jobHitRate(),
            result.blockHitRate(),
            result.completeRate(),
            result.meanSpeedup(),
            result.totalSeconds());
        separator = json ? "," : "";
      }
    }
    if (json) {
      out.println("]");
    }
    out.flush();
  }

  private Function<AdmissionFacility, ReplacementPolicy> policy(String name) {
    return PaperFigures.policies().entrySet().stream()
        .filter(known -> known.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(
            () ->
                new CommandLine.ParameterException(
                    spec.commandLine(),
                    "'" + name + "' is no policy; there are " + PaperFigures.policies().keySet()));
  }
}
