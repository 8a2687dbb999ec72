// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;
import org.mammoth.compat.cluster.SharedCluster;

/** The pages of an ApplicationMaster in the standing host are those of one in a process. */
@ExtendWith(SharedCluster.class)
class AppMasterPagesIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String JSON = "application/json";
  private static final String XML = "application/xml";
  private static final String HTML = "text/html";

  /**
   * Lines of the stacks that pages of failures have: ours, and those of Jetty's threads, which hand
   * work to each other or do it themselves as it comes.
   */
  private static final String OTHER_FRAMES =
      "\\s+at org\\.(mammoth\\.mapreduce\\.appmaster\\.LateContainer|eclipse\\.jetty\\.util\\.thread)\\.[^\n]*";

  private final HttpClient http = HttpClient.newHttpClient();

  private static Probe sleeping(MiniCluster cluster, JobCode code, String name, boolean warm)
      throws Exception {
    Probe probe = Probe.of(cluster, code, name, List.of(List.of("sleep 600000")));
    probe.job().getConfiguration().setBoolean("mammoth.appmaster.warm", warm);
    return probe.submit();
  }

  private static String master(YarnClient yarn, Probe probe) throws Exception {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                yarn.getApplicationReport(probe.application()).getYarnApplicationState()
                        == YarnApplicationState.RUNNING
                    && probe.job().mapProgress() > 0);
    ApplicationReport report = yarn.getApplicationReport(probe.application());
    assertThat(report.getFinalApplicationStatus()).isEqualTo(FinalApplicationStatus.UNDEFINED);
    return "http://localhost:" + URI.create(report.getOriginalTrackingUrl()).getPort();
  }

  private HttpRequest request(String master, String path, String accept) {
    return HttpRequest.newBuilder(URI.create(master + path)).header("Accept", accept).build();
  }

  private static String told(HttpResponse<String> response) {
    return response.statusCode()
        + " "
        + response.headers().firstValue("Content-Type").orElse("")
        + "\n"
        + response.body();
  }

  private String told(HttpRequest request) throws IOException, InterruptedException {
    return told(http.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  /** What is asked for, by what is accepted. */
  private static Map<String, List<String>> questions(Probe probe) {
    String job = probe.job().getJobID().toString();
    String services = "/ws/v1/mapreduce";
    List<String> data =
        Stream.of(
                services,
                services + "/info",
                services + "/jobs",
                services + "/jobs/" + job,
                services + "/jobs/" + job + "/tasks",
                services + "/jobs/" + job + "/counters",
                services + "/jobs/" + job + "/jobattempts",
                services + "/jobs/job_1_0001",
                services + "/jobs/nonsense",
                services + "/nothing")
            .toList();
    List<String> pages =
        List.of(
            "/",
            "/mapreduce",
            "/mapreduce/app",
            "/mapreduce/job/" + job,
            "/mapreduce/tasks/" + job + "/m",
            "/mapreduce/jobcounters/" + job,
            "/mapreduce/nothing",
            "/static/yarn.css",
            "/nothing");
    return new TreeMap<>(Map.of(JSON, data, XML, data, HTML, pages));
  }

  private List<String> answers(String master, Probe probe) throws Exception {
    List<String> answers = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : questions(probe).entrySet()) {
      for (String path : each.getValue()) {
        answers.add(path + " " + each.getKey() + " " + told(request(master, path, each.getKey())));
      }
    }
    return answers.stream()
        .map(answer -> answer.replace("-of-process", "").replaceAll(OTHER_FRAMES, ""))
        .map(
            answer ->
                answer
                    .replaceAll("WebServlet-[0-9a-f]+", "WebServlet")
                    .replaceAll("[0-9]+", "#")
                    // The one may be a minute old and the other not yet.
                    .replaceAll("(#(hrs|mins), )+#sec", "#sec"))
        .toList();
  }

  @Test
  void arePagesOfUpstreamsOwn(MiniCluster cluster) throws Exception {
    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("pages.jar"));
    Probe hosted = sleeping(cluster, code, "pages", true);
    Probe process = sleeping(cluster, code, "pages-of-process", false);
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.conf());
      yarn.start();
      String host = master(yarn, hosted);
      // The first questions come at once, before anything is made to answer them.
      List<CompletableFuture<HttpResponse<String>>> first =
          Stream.generate(
                  () ->
                      http.sendAsync(
                          request(host, "/ws/v1/mapreduce/info", JSON),
                          HttpResponse.BodyHandlers.ofString()))
              .limit(8)
              .toList();
      for (CompletableFuture<HttpResponse<String>> each : first) {
        assertThat(each.get().statusCode()).isEqualTo(200);
      }
      String ordinary = master(yarn, process);
      // A dump may come while upstream's loop pauses outside of the allocator.
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () -> told(request(host, "/stacks", HTML)),
              stacks -> stacks.contains("appmaster.PacedAllocator"));
      assertThat(told(request(ordinary, "/stacks", HTML))).doesNotContain("PacedAllocator");
      assertThat(answers(host, hosted)).isEqualTo(answers(ordinary, process));
    } finally {
      hosted.job().killJob();
      process.job().killJob();
      hosted.await();
      process.await();
    }
  }
}
