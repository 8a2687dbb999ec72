// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.io.Text;
import org.mammoth.api.status.CacheAnswers;
import org.mammoth.api.status.CacheDataSets;
import org.mammoth.api.status.CacheReport;
import org.mammoth.api.status.CacheTrace;
import org.mammoth.api.status.StatusJson;
import org.mammoth.hdfs.rpc.AdminProtocol;
import org.mammoth.mpcache.simulation.SimulationMain;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hdfs mpcache}: looks at the SSD cache and steers it. */
@Command(
    name = "hdfs mpcache",
    description = {
      "Looks at the SSD cache of HDFS and steers it.",
      "Everybody may look and sees the data sets he may read; administrators of HDFS change."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class MpCacheCommand implements Callable<Integer> {

  private static final List<String> SIMULATES = List.of("-simulate", "-generate", "-paper");

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Action action;

  @Option(names = "-json", description = "One JSON object instead of text.")
  private boolean asJson;

  private final Configuration conf;

  /** One of these is given. */
  private static final class Action {
    @Option(names = "-report", description = "Totals, and the space of each slave.")
    private boolean report;

    @Option(names = "-datasets", description = "The cached data sets, the largest first.")
    private boolean dataSets;

    @Option(names = "-policy", description = "The replacement policy and its settings.")
    private boolean policy;

    @Option(
        names = "-evict",
        paramLabel = "PATH",
        description = "Take the data sets at and below a path out of the cache.")
    private String evict;

    @Option(
        names = "-warm",
        paramLabel = "PATH",
        description = "Have the files at and below a path cached, as if a job read them.")
    private String warm;

    @Option(
        names = "-pin",
        paramLabel = "PATH",
        description =
            "Keep the data sets at and below a path, until the NameNode is restarted or fails over.")
    private String pin;

    @Option(names = "-unpin", paramLabel = "PATH", description = "Take such a pin back.")
    private String unpin;

    @Option(
        names = "-trace",
        description = "The last reads of whole data sets, as -simulate reads them.")
    private boolean trace;

    @Option(
        names = "-simulate",
        paramLabel = "TRACE",
        description =
            "What a cache would have done for a trace of jobs; -simulate TRACE -help tells more.")
    private Path simulate;
  }

  MpCacheCommand(Configuration conf) {
    this.conf = conf;
  }

  /** Exits with 0, 1 when it was refused or nobody answered, 2 for a wrong command line. */
  public static void main(String[] args) {
    System.exit(run(new HdfsConfiguration(), args, null, null));
  }

  /**
   * Runs a command line.
   *
   * @param out null for the process's own
   * @param err null for the process's own
   */
  static int run(Configuration conf, String[] args, PrintWriter out, PrintWriter err) {
    // What belongs to a simulation is that command's own business, and needs no cluster.
    Object command =
        Arrays.stream(args).anyMatch(SIMULATES::contains)
            ? new SimulationMain()
            : new MpCacheCommand(conf);
    CommandLine line = new CommandLine(command);
    if (out != null) {
      line.setOut(out).setErr(err);
    }
    line.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          failed.getErr().println("mpcache: " + firstLine(failure));
          return 1;
        });
    return line.execute(args);
  }

  private static String firstLine(Exception failure) {
    String message = String.valueOf(failure.getMessage());
    return message.lines().findFirst().orElse(failure.toString());
  }

  @Override
  public Integer call() throws IOException {
    JsonNode answer;
    try (Masters masters = new Masters(conf)) {
      answer = new ObjectMapper().readTree(masters.ask(this::ask));
    }
    StatusJson json = new StatusJson();
    PrintWriter out = spec.commandLine().getOut();
    if (asJson) {
      out.println(answer.toPrettyString());
    } else if (action.report) {
      CacheText.report(out, json.read(answer, CacheReport.class));
    } else if (action.dataSets) {
      CacheText.dataSets(out, json.read(answer, CacheDataSets.class));
    } else if (action.policy) {
      CacheText.policy(out, answer);
    } else if (action.evict != null) {
      CacheText.evicted(out, json.read(answer, CacheAnswers.Evicted.class));
    } else if (action.warm != null) {
      CacheText.warmed(out, json.read(answer, CacheAnswers.Warmed.class));
    } else if (action.trace) {
      CacheText.trace(out, json.read(answer, CacheTrace.class));
    } else {
      CacheText.pinned(out, json.read(answer, CacheAnswers.Pinned.class));
    }
    out.flush();
    return 0;
  }

  private Text ask(AdminProtocol master) throws IOException {
    if (action.report) {
      return master.report();
    } else if (action.dataSets) {
      return master.dataSets();
    } else if (action.policy) {
      return master.policy();
    } else if (action.evict != null) {
      return master.evict(action.evict);
    }
    if (action.trace) {
      return master.trace();
    } else if (action.warm != null) {
      return master.warm(action.warm);
    }
    boolean on = action.pin != null;
    return master.pin(on ? action.pin : action.unpin, on);
  }
}
