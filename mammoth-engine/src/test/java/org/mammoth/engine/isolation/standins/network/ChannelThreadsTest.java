// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.UserCode;

/** Threads of the JDK's that tell a task what its asynchronous channels have done. */
@Timeout(60)
class ChannelThreadsTest {
  private static final String HANDLER =
      "var group = Thread.currentThread().getThreadGroup();\n"
          + "var told = new java.util.concurrent.CompletableFuture<String>();\n"
          + "class Tells<T> implements java.nio.channels.CompletionHandler<T, Object> {\n"
          + "  public void failed(Throwable e, Object with) { told.completeExceptionally(e); }\n"
          + "  public void completed(T done, Object with) { Thread me = Thread.currentThread();\n"
          + "    told.complete((me.getThreadGroup() == group) + \" \" + me.isDaemon() + \" \"\n"
          + "      + (me.getContextClassLoader() == Tells.class.getClassLoader())); } }\n";

  private static final String FILE =
      "var file = java.nio.channels.AsynchronousFileChannel.open(\n"
          + "  Files.writeString(Path.of(\"a\"), in)%s);\n"
          + "file.read(java.nio.ByteBuffer.allocate(1), 0, null, new Tells<Integer>());\n"
          + "return told.get();";

  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ", Set.of(), null",
        "server",
      })
  void areItsOwnAndEndWithIt(String how) throws Exception {
    String opens =
        how.equals("server")
            ? "var server = java.nio.channels.AsynchronousServerSocketChannel.open();\n"
                + "server.bind(new java.net.InetSocketAddress(\n"
                + "  java.net.InetAddress.getLoopbackAddress(), 0));\n"
                + "server.accept(null, new Tells<java.nio.channels.AsynchronousSocketChannel>());\n"
                + "var client = java.nio.channels.AsynchronousSocketChannel.open();\n"
                + "client.connect(server.getLocalAddress()).get();\n"
                + "return told.get();"
            : FILE.formatted(how);
    Path classes = UserCode.compile(dir, UserCode.function("Opens", HANDLER + opens));
    for (String name : new String[] {"first", "second"}) {
      try (Task task = new Task(dir, name, classes)) {
        assertThat(task.call("Opens", "x")).isEqualTo("true true true");
        OpenSockets.close(task.process);
        assertThat(task.process.awaitTermination(Duration.ofSeconds(20))).isEmpty();
      }
    }
  }
}
