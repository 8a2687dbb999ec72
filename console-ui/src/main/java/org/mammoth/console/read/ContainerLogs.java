// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * The ends of a container's log files: from its NodeManager while it has them, from the history
 * server once they are aggregated. Any thread.
 */
public final class ContainerLogs {

  /** Of one file. */
  public static final int TAIL_BYTES = 4096;

  /** What Hadoop writes about a file, beside what is in it. */
  private static final int FRAME_BYTES = 60 << 10;

  private static final String CONTENTS = "LogContents:\n";
  private static final String END = "\nEnd of LogType:";

  private final ClusterHttp http;
  private final String historyServer;
  private final long deadlineMs;

  /**
   * The end of one file.
   *
   * @param text empty if it has none, or could not be read
   * @param from who told it: NodeManager or history server; empty if nobody did
   * @param untold why it could not be read; else empty
   * @param longer whether the file has more before it
   */
  public record LogTail(String file, String text, String from, String untold, boolean longer) {

    /** One that could not be read. */
    public static LogTail untold(String file, String why) {
      return new LogTail(file, "", "", why, false);
    }

    private static LogTail of(String file, byte[] body, int bytes, String from) {
      String text = contents(body);
      boolean longer = text.getBytes(StandardCharsets.UTF_8).length > bytes;
      return new LogTail(file, text.stripTrailing(), from, "", longer);
    }
  }

  /**
   * @param deadlineMs of one request; a tail takes two at most
   */
  public ContainerLogs(ClusterHttp http, Addresses addresses, long deadlineMs) {
    this.http = http;
    this.historyServer = addresses.historyServer();
    this.deadlineMs = deadlineMs;
  }

  /**
   * The end of a file; never fails.
   *
   * @param nodeManager origin of the container's NodeManager; null if it is no part of the cluster
   */
  public CompletableFuture<LogTail> tail(String nodeManager, String container, String file) {
    return last(nodeManager, container, file, TAIL_BYTES);
  }

  /**
   * The last bytes of a file; never fails.
   *
   * @param bytes how many at most
   */
  public CompletableFuture<LogTail> last(
      String nodeManager, String container, String file, int bytes) {
    // With one more than is wanted it shows whether there are more.
    String size = "?size=-" + (bytes + 1);
    int most = bytes + FRAME_BYTES;
    CompletableFuture<byte[]> node =
        nodeManager == null
            ? CompletableFuture.failedFuture(
                new IllegalArgumentException("its node is no part of the cluster now"))
            : http.getPlain(
                nodeManager,
                "/ws/v1/node/containers/" + container + "/logs/" + file + size,
                deadlineMs,
                most);
    return node.thenApply(body -> LogTail.of(file, body, bytes, "NodeManager"))
        .exceptionallyCompose(
            gone ->
                http.getPlain(
                        historyServer,
                        "/ws/v1/history/containerlogs/" + container + "/" + file + size,
                        deadlineMs,
                        most)
                    .thenApply(body -> LogTail.of(file, body, bytes, "history server"))
                    .exceptionally(failure -> LogTail.untold(file, why(gone, failure))));
  }

  private static String why(Throwable node, Throwable history) {
    return "NodeManager: "
        + FinishedJobs.why(node)
        + "; history server: "
        + FinishedJobs.why(history);
  }

  /** What is between the lines that Hadoop writes about a file. */
  static String contents(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    int start = text.indexOf(CONTENTS);
    String inner = start < 0 ? text : text.substring(start + CONTENTS.length());
    int end = inner.lastIndexOf(END);
    return end < 0 ? inner : inner.substring(0, end);
  }
}
