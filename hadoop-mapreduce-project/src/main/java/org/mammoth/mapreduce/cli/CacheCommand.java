// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mammoth cache}: what engines keep in memory for the jobs that follow. */
@Command(
    name = "cache",
    description = "Shows or drops what engines keep of jobs' output for the jobs that follow.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nColumns of -list, one line for what one job wrote to one folder:%n",
    footer = {
      "  FOLDER  where it was written; a later rename is not followed, and changes nothing",
      "  HELD    memory of the cache pool; goes at once to whoever needs it",
      "  WHOLE   whether all of it is in memory",
      "  READ    bytes that later jobs have read of it from memory",
      "",
      "-drop frees memory and no more: HDFS has every file. A user drops what the own engines hold,",
      "administrators (mammoth.engine.acl.admin) what all hold.",
      "",
      "Exit status: 0; 1 when there is no node or a node could not be asked; 2 for a wrong command line."
    })
final class CacheCommand implements Callable<Integer> {

  /** What to do; exactly one. */
  private static final class Deed {
    @Option(names = "-list", required = true, description = "The file sets in memory.")
    private boolean list;

    @Option(
        names = "-drop",
        paramLabel = "PATH",
        required = true,
        description = "Forgets a file, or all files in a folder; / is everything.")
    private String drop;
  }

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Deed deed;

  @Option(
      names = "-node",
      paramLabel = "HOST",
      description = "Only this node: a host name, or HOST:PORT of its NodeManager's web page.")
  private String node;

  @Option(names = "-json", description = "With -list: one JSON object, engines by node and id.")
  private boolean asJson;

  private final ObjectMapper json = new ObjectMapper();

  @Override
  public Integer call() throws IOException, YarnException {
    if (deed.drop != null && !deed.drop.startsWith("/")) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "PATH is a path of HDFS and begins with /: " + deed.drop);
    }
    NodeDirectory directory = new NodeDirectory(new YarnConfiguration(new JobConf()));
    List<String> addresses = directory.webAddresses(node);
    if (addresses.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println("The ResourceManager knows no running node" + (node == null ? "" : " " + node));
      return 1;
    }
    PrintWriter out = spec.commandLine().getOut();
    Map<String, JsonNode> found = new TreeMap<>();
    int unreachable = 0;
    for (String address : addresses) {
      try {
        ask(directory, address, out, found);
      } catch (IOException e) {
        unreachable++;
        out.printf("%s: %s%n", address, e.getMessage());
      }
    }
    if (asJson && deed.list) {
      out.println(json.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(found));
    }
    out.flush();
    return unreachable == 0 ? 0 : 1;
  }

  private void ask(
      NodeDirectory directory, String address, PrintWriter out, Map<String, JsonNode> found)
      throws IOException {
    if (deed.drop != null) {
      JsonNode dropped = directory.dropCached(address, deed.drop).path("dropped");
      out.printf("%s%s%n", address, dropped.isEmpty() ? ": no data cache of yours" : ":");
      dropped
          .fields()
          .forEachRemaining(
              engine ->
                  out.printf(
                      "  engine %s dropped %s%n",
                      engine.getKey(), Units.bytes(engine.getValue().asLong())));
    } else if (asJson) {
      found.put(address, DataCacheReport.json(json, directory.snapshot(address)));
    } else {
      new DataCacheReport(out).list(address, directory.snapshot(address));
    }
  }
}
