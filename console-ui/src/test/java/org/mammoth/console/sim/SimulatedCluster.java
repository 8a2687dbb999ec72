// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.order.SimulatedAdmins;

/**
 * A cluster that answers over HTTP as the daemons do: ResourceManager, NameNode and history server
 * at 127.0.0.1, and each node at a loopback address of its own, 127.1.x.y.
 */
public final class SimulatedCluster implements AutoCloseable {

  private final ObjectMapper json = new ObjectMapper();
  private final Clock clock;
  private final int count;
  private final long startMs;
  private final Server server = new Server(new QueuedThreadPool(16, 4));
  private final ServerConnector yarn;
  private final ServerConnector hdfs;
  private final Map<String, SimulatedNode> nodes = new ConcurrentHashMap<>();
  private final Map<String, Ailment> ailments = new ConcurrentHashMap<>();
  private final SimulatedAdmins admins = new SimulatedAdmins();
  private final AtomicLong requests = new AtomicLong();
  private final List<String> foreign = new ArrayList<>();
  private final ServerConnector standby;
  private volatile boolean mastersDown;
  private volatile boolean noneActive;
  private volatile boolean nameNodeDown;
  private volatile long secondEndedMs;
  private volatile boolean secondFails;
  private final Map<Integer, String> versions = new ConcurrentHashMap<>();
  private volatile SimulatedPast past;

  /** What may be wrong with a node. */
  public enum Ailment {
    /** Accepts a connection and never answers. */
    HANGS,
    /** Closes each connection. */
    BREAKS,
    /** A NodeManager without Mammoth. */
    STOCK,
    /** Reports in a later version of the format. */
    LATER,
    /** Answers 401. */
    REFUSES,
    /** Answers 200 with what is no JSON. */
    GARBLES,
    /** Its NodeManager is well, its DataNode closes each connection. */
    CACHE_BREAKS,
    /** Its DataNode is well, its NodeManager closes each connection. */
    ENGINES_BREAK,
    /** Its DataNode has an SSD cache that does not tell its space yet. */
    CACHE_STARTS,
    /** Its engine has just been started and has told nothing yet. */
    ENGINE_STARTS
  }

  public SimulatedCluster(int count, Clock clock) throws Exception {
    this.count = count;
    this.clock = clock;
    this.startMs = clock.millis() - 3_600_000;
    this.past = new SimulatedPast(0, clock.millis());
    yarn = new ServerConnector(server, 1, 1, new HttpConnectionFactory());
    hdfs = new ServerConnector(server, 1, 1, new HttpConnectionFactory());
    yarn.setAcceptQueueSize(1024);
    hdfs.setAcceptQueueSize(1024);
    server.addConnector(yarn);
    server.addConnector(hdfs);
    standby = new ServerConnector(server, 1, 1, new HttpConnectionFactory());
    standby.setHost("127.0.0.1");
    server.addConnector(standby);
    server.setHandler(
        new AbstractHandler() {
          @Override
          public void handle(
              String target, Request base, HttpServletRequest request, HttpServletResponse response)
              throws IOException {
            base.setHandled(true);
            answer(target, base, request, response);
          }
        });
    server.start();
    for (int i = 0; i < count; i++) {
      nodes.put(host(i), new SimulatedNode(i, startMs));
    }
  }

  public static String host(int i) {
    return "127.1." + i / 250 + "." + (1 + i % 250);
  }

  /** The node's id in the console. */
  public String id(int i) {
    return host(i) + ":" + yarn.getLocalPort();
  }

  public SimulatedNode node(int i) {
    return nodes.get(host(i));
  }

  /** Whole seconds since the simulation began. */
  public long second(long timeMs) {
    return (timeMs - startMs) / 1000;
  }

  public void ail(int i, Ailment ailment) {
    ailments.put(host(i), ailment);
  }

  public void heal(int i) {
    ailments.remove(host(i));
  }

  /** Those who take orders, on all nodes at once. */
  public SimulatedAdmins admins() {
    return admins;
  }

  public long requests() {
    return requests.get();
  }

  /** Sets the keys that lead a console to this cluster. */
  public void configure(Configuration conf) {
    String yarnOrigin = "http://127.0.0.1:" + yarn.getLocalPort();
    conf.set(ConsoleKeys.RESOURCEMANAGERS.name(), yarnOrigin);
    conf.set(ConsoleKeys.NAMENODES.name(), "http://127.0.0.1:" + hdfs.getLocalPort());
    conf.set(ConsoleKeys.HISTORYSERVER.name(), yarnOrigin);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:9");
    conf.setInt("mammoth.mpcache.master.port", admins.masterPort());
  }

  /** The address of a ResourceManager that stands by, and answers as they do. */
  public String standby() {
    return "http://127.0.0.1:" + standby.getLocalPort();
  }

  public String active() {
    return "http://127.0.0.1:" + yarn.getLocalPort();
  }

  /** Has so many jobs in its past, over six days. */
  public SimulatedPast past(int jobs) {
    past = new SimulatedPast(jobs, clock.millis());
    return past;
  }

  /** Closes the connections of all masters, or of none. */
  public void mastersDown(boolean down) {
    mastersDown = down;
  }

  /** Closes the NameNode's connections, or not. */
  public void nameNodeDown(boolean down) {
    nameNodeDown = down;
  }

  /** Has the active ResourceManager stand by too. */
  public void noneActive(boolean none) {
    noneActive = none;
  }

  /** Ends the second of the jobs, which runs until then. */
  public void endSecondJob() {
    secondEndedMs = clock.millis();
    nodes.values().forEach(SimulatedNode::endSecondJob);
  }

  /** Ends the second of the jobs, which fails. */
  public void failSecondJob() {
    secondFails = true;
    endSecondJob();
  }

  /** The version of Hadoop that a node runs. */
  public void version(int i, String version) {
    versions.put(i, version);
  }

  /** Methods other than GET that were received. */
  public synchronized List<String> foreignMethods() {
    return List.copyOf(foreign);
  }

  private void answer(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    requests.incrementAndGet();
    if (!request.getMethod().equals("GET")) {
      synchronized (this) {
        foreign.add(request.getMethod() + " " + target);
      }
    }
    String host = request.getLocalAddr();
    SimulatedNode node = nodes.get(host);
    Ailment ailment = ailments.get(host);
    if (ailment == Ailment.HANGS) {
      AsyncContext hang = request.startAsync();
      hang.setTimeout(0);
    } else if (breaks(ailment, request)) {
      base.getHttpChannel().getEndPoint().close();
    } else if (ailment == Ailment.REFUSES) {
      response.setStatus(401);
      response.setHeader("WWW-Authenticate", "Negotiate");
    } else if (ailment == Ailment.GARBLES) {
      send(response, "<html>");
    } else if (node == null
        && (mastersDown || nameNodeDown && request.getLocalPort() == hdfs.getLocalPort())) {
      base.getHttpChannel().getEndPoint().close();
    } else if (node == null
        && (request.getLocalPort() == standby.getLocalPort()
            || noneActive && request.getLocalPort() == yarn.getLocalPort())) {
      standingBy(target, response);
    } else if (node == null) {
      master(target, request, response);
    } else {
      daemon(node, target, base, request, response, ailment);
    }
  }

  private boolean breaks(Ailment ailment, HttpServletRequest request) {
    return ailment == Ailment.BREAKS
        || ailment == Ailment.ENGINES_BREAK && request.getLocalPort() != hdfs.getLocalPort();
  }

  private void daemon(
      SimulatedNode node,
      String target,
      Request base,
      HttpServletRequest request,
      HttpServletResponse response,
      Ailment ailment)
      throws IOException {
    String query = String.valueOf(request.getParameter("get"));
    long now = clock.millis();
    if (request.getLocalPort() == hdfs.getLocalPort()) {
      if (ailment == Ailment.CACHE_BREAKS) {
        base.getHttpChannel().getEndPoint().close();
        return;
      }
      ObjectNode page = json.createObjectNode();
      ObjectNode slave = node.slave(now);
      if (ailment == Ailment.CACHE_STARTS) {
        slave.remove("Space");
      }
      page.putArray("beans").add(slave);
      send(response, page.toString());
    } else if (target.equals("/conf")) {
      send(
          response,
          "{\"properties\":[{\"key\":\"mammoth.enabled\",\"value\":\"true\",\"isFinal\":false,"
              + "\"resource\":\"mapred-site.xml\"},{\"key\":\"fs.s3a.secret.key\",\"value\":"
              + "\"hush\",\"isFinal\":false,\"resource\":\"core-site.xml\"}]}");
    } else if (target.startsWith("/ws/v1/node/containers/")) {
      past(target, response);
    } else if (target.equals("/stacks")) {
      send(response, "Process Thread Dump:\nThread 1 (main):\n  State: WAITING\n");
    } else if (ailment == Ailment.STOCK) {
      send(response, "{\"beans\": []}");
    } else if (query.endsWith("::Snapshot")) {
      String text =
          ailment == Ailment.ENGINE_STARTS ? node.startingSnapshot(now) : node.snapshot(now);
      bean(response, "Snapshot", ailment == Ailment.LATER ? text.replace(":1,", ":2,") : text);
    } else if (query.endsWith("::LatestDecisions")) {
      bean(response, "LatestDecisions", node.decisions(now, 64));
    } else if (query.endsWith("::Decisions")) {
      bean(response, "Decisions", node.decisions(now, 1024));
    } else if (query.endsWith("::AdminPort")) {
      send(response, "{\"beans\":[{\"AdminPort\":" + admins.nodePort() + "}]}");
    } else {
      response.setStatus(404);
    }
  }

  private void bean(HttpServletResponse response, String attribute, String text)
      throws IOException {
    ObjectNode page = json.createObjectNode();
    page.putArray("beans")
        .addObject()
        .put("name", "Mammoth:service=NodeManager,name=Engines")
        .put("modelerType", "org.mammoth.mapreduce.nodemanager.readings.NodeReadingsBean")
        .put(attribute, text);
    send(response, page.toString());
  }

  private void standingBy(String target, HttpServletResponse response) throws IOException {
    if (target.equals("/ws/v1/cluster/info")) {
      send(response, "{\"clusterInfo\":{\"state\":\"STARTED\",\"haState\":\"STANDBY\"}}");
    } else if (noneActive) {
      send(response, "Can not find any active RM. Will retry in next 5 seconds.");
    } else {
      response.setHeader("Location", active() + target);
      response.setStatus(307);
      send(response, "This is standby RM. The redirect url is: " + active() + target);
    }
  }

  private void master(String target, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String query = String.valueOf(request.getQueryString());
    if (target.equals("/ws/v1/cluster/nodes")) {
      send(response, nodeList());
    } else if (target.equals("/ws/v1/cluster/apps")) {
      applications(request, response);
    } else if (target.equals("/ws/v1/history/mapreduce/jobs")) {
      history(request, response);
    } else if (SimulatedPast.isOf(target)) {
      past(target, response);
    } else if (target.endsWith("/tasks")) {
      send(response, SimulatedJobs.tasks(target, startMs, Math.min(count, 40), clock.millis()));
    } else if (target.endsWith("/counters")) {
      send(response, SimulatedJobs.counters(target));
    } else if (target.equals("/ws/v1/cluster/scheduler")) {
      send(response, SimulatedMasters.scheduler());
    } else if (query.contains("FSNamesystem")) {
      send(response, SimulatedMasters.namesystem(count));
    } else if (query.contains("Safemode")) {
      send(response, "{\"beans\":[{\"Safemode\":\"\"}]}");
    } else if (query.contains("NameNodeInfo")) {
      send(response, liveNodes());
    } else if (query.contains("MpCacheMaster")) {
      send(response, cacheMaster());
    } else {
      response.setStatus(404);
    }
  }

  /** Whether a time is within what a request asks for. */
  private static Predicate<Long> within(HttpServletRequest request, String what) {
    long from = number(request.getParameter(what + "Begin"), 0);
    long to = number(request.getParameter(what + "End"), Long.MAX_VALUE);
    return time -> time >= from && time <= to;
  }

  private static long number(String text, long otherwise) {
    return text == null ? otherwise : Long.parseLong(text);
  }

  private void applications(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Predicate<Long> ended = within(request, "finishedTime");
    List<String> states = List.of(String.valueOf(request.getParameter("states")).split(","));
    ArrayNode apps = json.createArrayNode();
    for (JsonNode app : SimulatedJobs.list(startMs, secondEndedMs, secondFails)) {
      if (states.contains(app.path("state").asText())
          && ended.test(app.path("finishedTime").asLong())) {
        apps.add(app);
      }
    }
    if (states.contains("FINISHED")) {
      past.addApplications(apps, clock.millis() - 86_400_000L, ended);
    }
    ObjectNode answer = json.createObjectNode();
    answer.putObject("apps").set("app", apps);
    send(response, answer.toString());
  }

  private void history(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Predicate<Long> ended = within(request, "finishedTime");
    ArrayNode jobs = json.createArrayNode();
    for (JsonNode job : SimulatedJobs.history(startMs, secondEndedMs)) {
      if (ended.test(job.path("finishTime").asLong())) {
        jobs.add(job);
      }
    }
    past.addHistory(jobs, within(request, "startedTime"), ended);
    ObjectNode answer = json.createObjectNode();
    answer.putObject("jobs").set("job", jobs);
    send(response, answer.toString());
  }

  private void past(String target, HttpServletResponse response) throws IOException {
    String text = target.contains("logs") ? SimulatedPast.log(target) : past.answer(target);
    if (text == null) {
      response.setStatus(404);
      return;
    }
    for (int i = 0; i < 3; i++) {
      text = text.replace("\"NODE" + i, "\"" + id(i % count));
    }
    send(response, text);
  }

  private String nodeList() {
    ArrayNode list = json.createArrayNode();
    for (int i = 0; i < count; i++) {
      list.addObject()
          .put("id", host(i) + ":8041")
          .put("rack", "/rack" + i / 20)
          .put("state", "RUNNING")
          .put("nodeHostName", host(i))
          .put("nodeHTTPAddress", id(i))
          .put("version", versions.getOrDefault(i, "3.4.2"));
    }
    ObjectNode answer = json.createObjectNode();
    answer.putObject("nodes").set("node", list);
    return answer.toString();
  }

  private String liveNodes() {
    ObjectNode live = json.createObjectNode();
    for (int i = 0; i < count; i++) {
      live.putObject(host(i) + ":9866")
          .put("infoAddr", host(i) + ":" + hdfs.getLocalPort())
          .put("version", "3.4.2")
          .put("capacity", 4L << 40)
          .put("remaining", (4L << 40) * (20 + i * 7 % 70) / 100)
          .put("volfails", i % 11 == 10 ? 1 : 0);
    }
    ObjectNode page = json.createObjectNode();
    page.putArray("beans").addObject().put("LiveNodes", live.toString());
    return page.toString();
  }

  private String cacheMaster() {
    long second = second(clock.millis());
    ObjectNode report = json.createObjectNode();
    report.put("policy", "mpcache").put("knownDataSets", 31).put("cachedDataSets", 6);
    report.put("completeDataSets", 4).put("hits", second * 7).put("misses", second * 3);
    report.put("rounds", second / 4).put("roundsComplete", second / 7);
    report.putObject("refusals").put("TOO_LARGE", 3).put("NOT_RECORDED", 12);
    ObjectNode page = json.createObjectNode();
    page.putArray("beans")
        .addObject()
        .put("name", "Hadoop:service=NameNode,name=MpCacheMaster")
        .put("Active", true)
        .put("Report", report.toString());
    return page.toString();
  }

  private static void send(HttpServletResponse response, String text) throws IOException {
    response.setContentType("application/json; charset=utf8");
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws Exception {
    server.stop();
    admins.close();
  }
}
