// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.sim;

/** What the masters say of themselves, as Hadoop 3.4 writes it. */
final class SimulatedMasters {

  private SimulatedMasters() {}

  /** A Capacity Scheduler with queues below queues. */
  static String scheduler() {
    return """
        {"scheduler":{"schedulerInfo":{"type":"capacityScheduler","capacity":100.0,
        "usedCapacity":62.5,"maxCapacity":100.0,"queueName":"root","queuePath":"root","queues":
        {"queue":[
        {"queueName":"default","state":"RUNNING","absoluteCapacity":30.0,"absoluteMaxCapacity":100.0,
        "absoluteUsedCapacity":12.5,"resourcesUsed":{"memory":20480,"vCores":10},
        "numActiveApplications":1,"numPendingApplications":0,"numContainers":9,
        "pendingContainers":0},
        {"queueName":"science","state":"RUNNING","absoluteCapacity":70.0,
        "absoluteMaxCapacity":90.0,"absoluteUsedCapacity":50.0,
        "resourcesUsed":{"memory":81920,"vCores":40},"queues":{"queue":[
        {"queueName":"genomes","state":"RUNNING","absoluteCapacity":50.0,
        "absoluteMaxCapacity":90.0,"absoluteUsedCapacity":50.0,
        "resourcesUsed":{"memory":81920,"vCores":40},"numActiveApplications":1,
        "numPendingApplications":3,"numContainers":38,"pendingContainers":112},
        {"queueName":"weather","state":"STOPPED","absoluteCapacity":20.0,
        "absoluteMaxCapacity":40.0,"absoluteUsedCapacity":0.0,
        "resourcesUsed":{"memory":0,"vCores":0},"numActiveApplications":0,
        "numPendingApplications":0,"numContainers":0,"pendingContainers":0}]}}]}}}}
        """;
  }

  /** A NameNode over so many DataNodes. */
  static String namesystem(int nodes) {
    return """
        {"beans":[{"name":"Hadoop:service=NameNode,name=FSNamesystem","tag.HAState":"active",
        "CapacityTotal":%d,"CapacityRemaining":%d,"FilesTotal":71234,"BlocksTotal":180221,
        "MissingBlocks":0,"CorruptBlocks":0,"LowRedundancyBlocks":14,"NumLiveDataNodes":%d,
        "StaleDataNodes":0,"NumDeadDataNodes":0}]}
        """
        .formatted(nodes * (4L << 40), nodes * (2L << 40), nodes);
  }
}
