// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

/**
 * What the name of a DataNode's thread says of its reader. Upstream names the threads that serve
 * clients {@code DataXceiver for client CLIENT at ADDRESS [OPERATION]}, and MapReduce's clients
 * carry the attempt in CLIENT. Everybody else (block scanner, re-replication, balancer, checksum
 * requests) is no reader and gets the real replica.
 *
 * @param kind how the bytes leave the DataNode
 * @param job the job that reads, such as {@code job_1700000000000_0001}, or ""
 */
public record ReaderName(Kind kind, String job) {

  /** How bytes leave the DataNode. */
  public enum Kind {
    /** Not for a client. */
    NONE,
    /** Over a socket. */
    SENT,
    /** As an open file handed to a client on this host. */
    DESCRIPTOR
  }

  private static final ReaderName NOBODY = new ReaderName(Kind.NONE, "");
  private static final String PREFIX = "DataXceiver for client ";
  private static final String ATTEMPT = "DFSClient_attempt_";

  /** Reads a thread's name. */
  public static ReaderName of(String thread) {
    if (!thread.startsWith(PREFIX)) {
      return NOBODY;
    }
    String job = job(thread.substring(PREFIX.length()));
    if (thread.contains(" [Sending block ")) {
      return new ReaderName(Kind.SENT, job);
    }
    return thread.contains(" [Passing file descriptors for block ")
        ? new ReaderName(Kind.DESCRIPTOR, job)
        : NOBODY;
  }

  /** The job in the name of an HDFS client, or "". */
  public static String job(String client) {
    if (!client.startsWith(ATTEMPT)) {
      return "";
    }
    int cluster = ATTEMPT.length();
    int number = client.indexOf('_', cluster) + 1;
    int end = client.indexOf('_', number);
    return number > 0 && end > number ? "job_" + client.substring(cluster, end) : "";
  }
}
