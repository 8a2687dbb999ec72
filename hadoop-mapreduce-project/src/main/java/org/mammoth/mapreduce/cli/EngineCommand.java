// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.mammoth.api.status.NodeDecisions;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mammoth engine}: what the engines of the cluster's nodes are doing. */
@Command(
    name = "engine",
    description = "Shows the engines of all nodes, or of one.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nColumns:%n",
    footer = {
      "-memory, leased bytes by who holds them (\"(n ended)\": n ended attempts of the job):",
      "  ELEMENT     unsorted records, one pool for all maps; SLABS: elements the attempt uses of it",
      "  SORT        sorted runs of a running map",
      "  SEND        final map output that reduces still have to get",
      "  RECEIVE     map output held for a running reduce",
      "  IO          queues of the disks",
      "  DATA_CACHE  files kept for the next job",
      "  WEIGHT      the job's share among the node's jobs; PEAK: largest sort buffer of an ended map",
      "  PASSED-BY   requests served while this one waited",
      "-disks, requests by class (ACTIVE is what jobs wait for) and direction:",
      "  FILES       open files; DEPTH: cache units that wait; HELD: memory of their queues",
      "  OLDEST      how long the oldest request waits; MOVED: bytes since the engine started",
      "  RATE        over about the last 5 s; ERRORS: failed turns since the engine started",
      "-decisions, what the cache scheduler decided:",
      "  NUMBER      counts up from 0 in each engine; equal decisions in a row are one, bytes added",
      "  RULE        why; see docs/engine-json.md for each rule",
      "  VICTIM      who has to give memory back, or gets what is handed over",
      "  WAITED      how long the request had waited",
      "",
      "Exit status: 0; 1 when there is no node or a node could not be asked; 2 for a wrong command line."
    })
final class EngineCommand implements Callable<Integer> {

  private static final long FOLLOW_MS = 1_000;

  /** What to show; exactly one. */
  private static final class View {
    @Option(
        names = "-status",
        required = true,
        description = "Slots, tasks, memory, fall-backs and uptime of each engine.")
    private boolean status;

    @Option(
        names = "-memory",
        required = true,
        description = "Who holds the memory for intermediate data, quotas, who waits.")
    private boolean memory;

    @Option(
        names = "-disks",
        required = true,
        description = "Queues, rates and errors of each disk; directories that are left out.")
    private boolean disks;

    @Option(
        names = "-decisions",
        required = true,
        description = "The last 1024 decisions about memory of each engine.")
    private boolean decisions;
  }

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private View view;

  @Option(
      names = "-follow",
      description = "With -decisions: go on with new ones each second, until interrupted.")
  private boolean follow;

  @Option(
      names = "-node",
      paramLabel = "HOST",
      description = "Only this node: a host name, or HOST:PORT of its NodeManager's web page.")
  private String node;

  @Option(
      names = "-json",
      description = "One JSON object, nodes by address; with -follow one object per decision.")
  private boolean asJson;

  /** Asks one node. */
  private interface Question {
    JsonNode ask(String address) throws IOException;
  }

  private final ObjectMapper json = new ObjectMapper();
  private NodeDirectory directory;
  private PrintWriter out;

  @Override
  public Integer call() throws IOException, YarnException, InterruptedException {
    if (follow && !view.decisions) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "-follow goes with -decisions only");
    }
    YarnConfiguration conf = new YarnConfiguration(new JobConf());
    directory = new NodeDirectory(conf);
    out = spec.commandLine().getOut();
    List<String> addresses = directory.webAddresses(node);
    if (addresses.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println(
              node == null
                  ? "The ResourceManager knows no running node."
                  : "The ResourceManager knows no running node '" + node + "'.");
      return 1;
    }
    if (follow) {
      return follow(addresses);
    }
    return asJson ? printJson(addresses) : printText(addresses);
  }

  private int printJson(List<String> addresses) throws IOException {
    Map<String, JsonNode> byNode = new TreeMap<>();
    int unreachable = 0;
    for (String address : addresses) {
      try {
        byNode.put(address, question().ask(address));
      } catch (IOException e) {
        unreachable++;
        ObjectNode problem = json.createObjectNode();
        problem.put("error", e.getMessage());
        byNode.put(address, problem);
      }
    }
    out.println(json.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(byNode));
    out.flush();
    return unreachable == 0 ? 0 : 1;
  }

  private Question question() {
    if (view.status) {
      return this::statusAndSnapshot;
    }
    return view.decisions
        ? address -> json.valueToTree(directory.decisions(address))
        : address -> json.valueToTree(directory.snapshot(address));
  }

  private JsonNode statusAndSnapshot(String address) throws IOException {
    ObjectNode status = (ObjectNode) directory.engines(address);
    try {
      status.set("snapshot", json.valueToTree(directory.snapshot(address)));
    } catch (IOException e) {
      // A NodeManager of an older release, say: what it does tell is worth having.
      status.put("snapshotError", e.getMessage());
    }
    return status;
  }

  private int printText(List<String> addresses) {
    SnapshotReports reports = new SnapshotReports(out);
    DecisionReports decisions = new DecisionReports(ZoneId.systemDefault());
    List<DecisionReports.Told> told = new ArrayList<>();
    int unreachable = 0;
    for (String address : addresses) {
      try {
        if (view.status) {
          StatusReport.print(out, address, directory.engines(address));
          reports.brief(directory.snapshot(address));
        } else if (view.memory) {
          reports.memory(address, directory.snapshot(address));
        } else if (view.disks) {
          reports.disks(address, directory.snapshot(address));
        } else {
          told.addAll(DecisionReports.all(address, directory.decisions(address)));
        }
      } catch (IOException e) {
        unreachable++;
        out.printf("%s: %s%n", address, e.getMessage());
      }
    }
    decisions.print(out, told);
    out.flush();
    return unreachable == 0 ? 0 : 1;
  }

  private int follow(List<String> addresses) throws InterruptedException, IOException {
    DecisionReports decisions = new DecisionReports(ZoneId.systemDefault());
    Set<String> silent = new HashSet<>();
    do {
      for (String address : addresses) {
        try {
          NodeDecisions reading = directory.decisions(address);
          silent.remove(address);
          for (DecisionReports.Told told : decisions.fresh(address, reading)) {
            if (asJson) {
              out.println(json.writeValueAsString(told));
            } else {
              decisions.printLine(out, told);
            }
          }
        } catch (IOException e) {
          // Said once; a node that restarts is followed again.
          if (silent.add(address)) {
            spec.commandLine().getErr().printf("%s: %s%n", address, e.getMessage());
          }
        }
      }
      out.flush();
      TimeUnit.MILLISECONDS.sleep(FOLLOW_MS);
    } while (silent.size() < addresses.size() && !out.checkError());
    return silent.isEmpty() ? 0 : 1;
  }
}
