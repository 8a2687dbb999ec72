// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.mammoth.config.names.KeyNames;
import org.mammoth.upgrade.node.WebPages;
import org.mammoth.upgrade.tree.SiteConfig;

/**
 * What jobs of the last day would have done with engines, as the job history server has their
 * configurations. It sees what a job's configuration says, not what its classes do.
 */
public final class JobHistory {

  /** Of its finding. */
  public static final String ID = "job-history";

  private static final int MOST_JOBS = 200;
  private static final long DAY_MS = 24L * 3600 * 1000;

  private static final List<String> PROGRAMS =
      List.of(
          "mapreduce.pipes.executable",
          "mapreduce.application.framework.path",
          "mapreduce.job.log4j-properties-file");
  private static final String CACHE_LINKS = KeyNames.CACHE_LINKS;
  private static final List<String> SWITCHES =
      List.of("mapreduce.task.profile", "mapreduce.job.user.classpath.first");

  private final WebPages pages;
  private final String address;

  /**
   * @param conf what jobs of this node's clients start from
   */
  public JobHistory(SiteConfig conf) {
    pages = new WebPages(conf);
    address = WebPages.local(conf.get("mapreduce.jobhistory.webapp.address", "0.0.0.0:19888"));
  }

  /**
   * Asks the server; takes a few milliseconds for each job, of which the last 200 are looked at.
   */
  public Finding look(long nowMs) {
    String path = "/ws/v1/history/mapreduce/jobs";
    Map<String, Integer> reasons = new TreeMap<>();
    int jobs = 0;
    try {
      JsonNode list =
          pages.get(
              address, path + "?limit=" + MOST_JOBS + "&finishedTimeBegin=" + (nowMs - DAY_MS));
      for (JsonNode job : list.path("jobs").path("job")) {
        JsonNode conf = pages.get(address, path + "/" + job.path("id").asText() + "/conf");
        Map<String, String> keys = new HashMap<>();
        for (JsonNode property : conf.path("conf").path("property")) {
          keys.put(property.path("name").asText(), property.path("value").asText());
        }
        jobs++;
        reason(key -> keys.getOrDefault(key, ""))
            .ifPresent(why -> reasons.merge(why, 1, Integer::sum));
      }
    } catch (IOException e) {
      return Finding.warning(
          ID,
          "the job history server cannot be asked: " + e.getMessage(),
          "start it, or set mapreduce.jobhistory.webapp.address");
    }
    return report(jobs, reasons);
  }

  static Finding report(int jobs, Map<String, Integer> reasons) {
    if (jobs == 0) {
      return Finding.ok(ID, "no job finished during the last day");
    }
    int outside = reasons.values().stream().mapToInt(Integer::intValue).sum();
    List<String> why = new ArrayList<>();
    reasons.forEach((reason, count) -> why.add(count + " " + reason));
    return Finding.ok(
        ID,
        "of the last day's "
            + jobs
            + " jobs "
            + (jobs - outside)
            + " would have run in engines by their configuration"
            + (why.isEmpty() ? "" : "; not: " + String.join(", ", why)));
  }

  /** Why a job's tasks would get processes; empty if its configuration says nothing against. */
  static Optional<String> reason(UnaryOperator<String> keys) {
    for (String key : PROGRAMS) {
      if (!keys.apply(key).isEmpty()) {
        return Optional.of("with " + key);
      }
    }
    for (String key : SWITCHES) {
      if (keys.apply(key).equals("true")) {
        return Optional.of("with " + key);
      }
    }
    if (keys.apply(CACHE_LINKS).equals("false") && hasCacheFiles(keys)) {
      return Optional.of("with cache files and " + CACHE_LINKS + "=false");
    }
    for (String key : JobSettings.OPTION_KEYS) {
      Optional<String> bad = JobSettings.unknownOption(keys.apply(key));
      if (bad.isPresent()) {
        return Optional.of("with java.opts " + bad.get().replaceFirst("=.*", "=..."));
      }
    }
    return Optional.empty();
  }

  /** Whether it may read files of the distributed cache by names of its own. */
  private static boolean hasCacheFiles(UnaryOperator<String> keys) {
    String onClassPath =
        keys.apply("mapreduce.job.classpath.files")
            + keys.apply("mapreduce.job.classpath.archives");
    for (String key : List.of("mapreduce.job.cache.files", "mapreduce.job.cache.archives")) {
      for (String file : keys.apply(key).split(",")) {
        String name = file.replaceFirst("#.*", "").replaceFirst(".*/", "");
        String link = file.contains("#") ? file.replaceFirst(".*#", "") : name;
        if (!file.isBlank()
            && !onClassPath.contains(name)
            && !link.equals("_partition.lst")
            && !link.equals("*")) {
          return true;
        }
      }
    }
    return false;
  }
}
