package org.mammoth.mapreduce.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mammoth engine}: what the engines of the cluster's nodes are doing. */
@Command(
    name = "engine",
    description = "Shows the engines of all nodes, or of one.",
    mixinStandardHelpOptions = true)
final class EngineCommand implements Callable<Integer> {

  private static final long MIB = 1L << 20;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "-status",
      required = true,
      description = "Slots, tasks, memory, fall-backs and uptime of each engine.")
  private boolean status;

  @Option(
      names = "-node",
      paramLabel = "HOST",
      description = "Only this node: a host name, or HOST:PORT of its NodeManager's web page.")
  private String node;

  @Option(names = "-json", description = "One JSON object, nodes by address.")
  private boolean asJson;

  @Override
  public Integer call() throws IOException, YarnException {
    YarnConfiguration conf = new YarnConfiguration(new JobConf());
    NodeDirectory directory = new NodeDirectory(conf);
    ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    List<String> addresses = directory.webAddresses(node);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (addresses.isEmpty()) {
      err.println(
          node == null
              ? "The ResourceManager knows no running node."
              : "The ResourceManager knows no running node '" + node + "'.");
      return 1;
    }
    Map<String, JsonNode> byNode = new TreeMap<>();
    int unreachable = 0;
    for (String address : addresses) {
      try {
        byNode.put(address, directory.engines(address));
      } catch (IOException e) {
        unreachable++;
        ObjectNode problem = json.createObjectNode();
        problem.put("error", e.getMessage());
        byNode.put(address, problem);
      }
    }
    if (asJson) {
      out.println(json.writeValueAsString(byNode));
    } else {
      byNode.forEach((address, report) -> print(out, address, report));
    }
    out.flush();
    return unreachable == 0 ? 0 : 1;
  }

  private static void print(PrintWriter out, String address, JsonNode report) {
    if (report.has("error")) {
      out.printf("%s: %s%n", address, report.get("error").asText());
      return;
    }
    out.printf(
        "%s: engine %s, %d of %d MiB admitted to %d tasks, %d fall-backs%n",
        address,
        report.path("enabled").asBoolean() ? "on" : "off",
        report.path("admittedMb").asLong(),
        report.path("shareMb").asLong(),
        report.path("admittedTasks").asInt(),
        report.path("fallbacks").asLong());
    report
        .path("fallbackReasons")
        .fields()
        .forEachRemaining(
            reason -> out.printf("  %d because %s%n", reason.getValue().asLong(), reason.getKey()));
    report.path("engines").forEach(engine -> printEngine(out, "engine", engine));
    report.path("appMasterHosts").forEach(host -> printEngine(out, "appmaster host", host));
  }

  private static void printEngine(PrintWriter out, String kind, JsonNode engine) {
    out.printf(
        "  %s of %s, pid %d, up %s: %d running, %d started, %d aborted;"
            + " heap %d of %d MiB, rss %d MiB, gc %d ms%s%n",
        kind,
        engine.path("user").asText(),
        engine.path("pid").asLong(),
        Duration.ofSeconds(engine.path("uptimeMs").asLong() / 1000),
        engine.path("tasksRunning").asInt(),
        engine.path("tasksStarted").asLong(),
        engine.path("tasksAborted").asLong(),
        engine.path("heapUsedBytes").asLong() / MIB,
        engine.path("heapMaxBytes").asLong() / MIB,
        engine.path("residentBytes").asLong() / MIB,
        engine.path("gcMs").asLong(),
        engine.path("draining").asText().isEmpty()
            ? ""
            : ", draining: " + engine.path("draining").asText());
    engine
        .path("tasks")
        .forEach(
            task ->
                out.printf(
                    "    %s, %d MiB, %s%n",
                    task.path("attempt").asText(),
                    task.path("memoryMb").asLong(),
                    Duration.ofSeconds(task.path("runningMs").asLong() / 1000)));
  }
}
