// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Asks the NodeManagers of this JVM, while tests run, how many tasks their engines have started and
 * which tasks they sent to ordinary containers, and writes the totals, with the most NodeManagers
 * there were at once, to the file that the system property {@code mammoth.upstream.proof} names.
 * NodeManagers come and go with test methods, so it asks every {@value #PERIOD_MS} ms and keeps
 * what each said last: a lower bound.
 */
public final class EngineProof implements TestExecutionListener {

  private static final long PERIOD_MS = 100;

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, Integer> startedByEngine = new TreeMap<>();
  private final Map<String, Map<String, Integer>> reasonsByNode = new TreeMap<>();
  private int mostNodes;
  private String written;
  private final ScheduledExecutorService asking =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "engine-proof");
            thread.setDaemon(true);
            return thread;
          });

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    if (System.getProperty("mammoth.upstream.proof") != null) {
      asking.scheduleWithFixedDelay(this::ask, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** The last answer before the cluster stopped is what counts. */
  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    asking.shutdown();
  }

  /** Written whenever it changes: a class that does not end in time is killed. */
  private void write() throws IOException {
    ObjectNode proof = json.createObjectNode();
    proof.put("nodes", mostNodes);
    proof.put("engines", startedByEngine.size());
    proof.put("tasks", startedByEngine.values().stream().mapToInt(Integer::intValue).sum());
    Map<String, Integer> reasons = new TreeMap<>();
    reasonsByNode
        .values()
        .forEach(node -> node.forEach((reason, n) -> reasons.merge(reason, n, Integer::sum)));
    proof.set("ordinary", json.valueToTree(reasons));
    String text = proof.toString();
    if (!text.equals(written)) {
      Files.writeString(Path.of(System.getProperty("mammoth.upstream.proof")), text);
      written = text;
    }
  }

  private synchronized void ask() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName nodes = new ObjectName("Hadoop:service=NodeManager,name=MammothEngines*");
      Set<ObjectName> running = server.queryNames(nodes, null);
      mostNodes = Math.max(mostNodes, running.size());
      for (ObjectName node : running) {
        note(node.toString(), json.readTree((String) server.getAttribute(node, "Status")));
      }
      write();
    } catch (JMException | IOException | RuntimeException e) {
      // A NodeManager that stops while it is asked; the next question finds it gone.
    }
  }

  private void note(String node, JsonNode status) {
    String key = node;
    for (JsonNode engine : status.path("engines")) {
      String id = engine.path("engineId").asText();
      startedByEngine.merge(id, engine.path("tasksStarted").asInt(), Math::max);
      // One NodeManager of a name after the other; their engines tell them apart.
      key = node + " " + id;
    }
    Map<String, Integer> reasons = new TreeMap<>();
    status
        .path("fallbackReasons")
        .fields()
        .forEachRemaining(reason -> reasons.put(reason.getKey(), reason.getValue().asInt()));
    if (!reasons.isEmpty()) {
      reasonsByNode.put(key, reasons);
    }
  }
}
