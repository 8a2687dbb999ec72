// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.console.model.YarnQueue;

/**
 * From the ResourceManager's page of its scheduler to queues: Capacity, Fair and FIFO Scheduler
 * each have names of their own for the same things.
 */
final class SchedulerAdapter {

  static final String PATH = "/ws/v1/cluster/scheduler";

  private static final long MIB = 1L << 20;

  private SchedulerAdapter() {}

  /**
   * All queues, parents first.
   *
   * @throws IllegalArgumentException if it is a scheduler that is not known here
   */
  static List<YarnQueue> queues(JsonNode answer) {
    JsonNode info = answer.path("scheduler").path("schedulerInfo");
    List<YarnQueue> queues = new ArrayList<>();
    switch (info.path("type").asText()) {
      case "capacityScheduler" -> capacity(info, "", queues);
      case "fairScheduler" -> {
        JsonNode root = info.path("rootQueue");
        fair(root, root.path("clusterResources").path("memory").asDouble(), queues);
      }
      case "fifoScheduler" -> queues.add(fifo(info));
      default ->
          throw new IllegalArgumentException(
              "the ResourceManager's scheduler is of a kind the console does not know: "
                  + info.path("type").asText("none"));
    }
    return queues;
  }

  private static void capacity(JsonNode queue, String parent, List<YarnQueue> to) {
    String path = parent + queue.path("queueName").asText();
    JsonNode below = queue.path("queues").path("queue");
    boolean root = parent.isEmpty();
    to.add(
        new YarnQueue(
            path,
            below.isEmpty(),
            text(queue, "state"),
            root ? decimal(queue, "capacity") : decimal(queue, "absoluteCapacity"),
            root ? decimal(queue, "usedCapacity") : decimal(queue, "absoluteUsedCapacity"),
            root ? decimal(queue, "maxCapacity") : decimal(queue, "absoluteMaxCapacity"),
            memory(queue.path("resourcesUsed")),
            number(queue.path("resourcesUsed"), "vCores"),
            number(queue, "numActiveApplications"),
            number(queue, "numPendingApplications"),
            number(queue, "numContainers"),
            number(queue, "pendingContainers")));
    for (JsonNode child : below) {
      capacity(child, path + ".", to);
    }
  }

  private static void fair(JsonNode queue, double clusterMb, List<YarnQueue> to) {
    // Older ResourceManagers have the list itself, later ones a queue within.
    JsonNode children = queue.path("childQueues");
    JsonNode below = children.isArray() ? children : children.path("queue");
    to.add(
        new YarnQueue(
            queue.path("queueName").asText(),
            below.isEmpty(),
            "",
            share(queue.path("steadyFairResources"), clusterMb),
            share(queue.path("usedResources"), clusterMb),
            share(queue.path("maxResources"), clusterMb),
            memory(queue.path("usedResources")),
            number(queue.path("usedResources"), "vCores"),
            number(queue, "numActiveApps"),
            number(queue, "numPendingApps"),
            number(queue, "allocatedContainers"),
            number(queue, "pendingContainers")));
    for (JsonNode child : below) {
      fair(child, clusterMb, to);
    }
  }

  private static YarnQueue fifo(JsonNode info) {
    Double used = decimal(info, "usedCapacity");
    return new YarnQueue(
        "default",
        true,
        text(info, "qstate"),
        100.0,
        used == null ? null : Double.valueOf(100 * used),
        100.0,
        null,
        null,
        null,
        null,
        number(info, "numContainers"),
        null);
  }

  private static Double share(JsonNode resources, double clusterMb) {
    Double mb = decimal(resources, "memory");
    return mb == null || clusterMb <= 0
        ? null
        : Double.valueOf(Math.min(100, 100 * mb / clusterMb));
  }

  private static Long memory(JsonNode resources) {
    Long mb = number(resources, "memory");
    return mb == null ? null : Long.valueOf(MIB * mb);
  }

  private static Double decimal(JsonNode object, String field) {
    JsonNode value = object.path(field);
    return value.isNumber() ? Double.valueOf(value.asDouble()) : null;
  }

  private static Long number(JsonNode object, String field) {
    JsonNode value = object.path(field);
    return value.isNumber() ? Long.valueOf(value.asLong()) : null;
  }

  private static String text(JsonNode object, String field) {
    JsonNode value = object.path(field);
    return value.isNull() ? "" : value.asText("");
  }
}
