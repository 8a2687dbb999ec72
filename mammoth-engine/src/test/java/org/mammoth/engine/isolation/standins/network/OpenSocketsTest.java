// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.UserCode;

/** What a task leaves open of the network. */
@Timeout(60)
class OpenSocketsTest {

  private static final String LOOPBACK = "java.net.InetAddress.getLoopbackAddress()";
  private static final String ADDRESS =
      "new java.net.InetSocketAddress(" + LOOPBACK + ", Integer.parseInt(in))";

  @TempDir private Path dir;

  private Task task(String body) throws Exception {
    return new Task(dir, "net", UserCode.compile(dir, UserCode.function("Opens", body)));
  }

  private static int freePort() throws Exception {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    }
  }

  private static void listen(int port) throws Exception {
    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.getProperties().put(\"kept\", new java.net.ServerSocket(Integer.parseInt(in), 1, "
            + LOOPBACK
            + "));",
        "var server = java.nio.channels.ServerSocketChannel.open(); server.bind("
            + ADDRESS
            + "); System.getProperties().put(\"kept\", server);",
        "var server = java.nio.channels.spi.SelectorProvider.provider().openServerSocketChannel();"
            + " server.bind("
            + ADDRESS
            + "); System.getProperties().put(\"kept\", server);",
        "var server = java.nio.channels.AsynchronousServerSocketChannel.open(); server.bind("
            + ADDRESS
            + "); System.getProperties().put(\"kept\", server);",
        "System.getProperties().put(\"kept\", javax.net.ServerSocketFactory.getDefault()"
            + ".createServerSocket(Integer.parseInt(in), 1, "
            + LOOPBACK
            + "));"
      })
  void portsAreFreeForTheNextTask(String body) throws Exception {
    try (Task task = task(body + " return \"opened\";")) {
      // Only now: while the task's code is compiled another process might take it.
      int port = freePort();
      assertThat(task.call("Opens", Integer.toString(port))).isEqualTo("opened");
      assertThatThrownBy(() -> listen(port)).isInstanceOf(BindException.class);
      OpenSockets.close(task.process);
      listen(port);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new java.net.Socket(" + LOOPBACK + ", Integer.parseInt(in))",
        "java.nio.channels.SocketChannel.open(" + ADDRESS + ")",
        "javax.net.SocketFactory.getDefault().createSocket(" + LOOPBACK + ", Integer.parseInt(in))"
      })
  void peersSeeTheEnd(String connection) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Task task = task("System.getProperties().put(\"kept\", " + connection + "); return in;")) {
      task.call("Opens", Integer.toString(server.getLocalPort()));
      try (Socket peer = server.accept()) {
        task.process.close();
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void whatATaskAcceptsIsClosedToo() throws Exception {
    String body =
        "var server = new java.net.ServerSocket(Integer.parseInt(in), 1, "
            + LOOPBACK
            + ");\nSystem.out.println(\"listens\");\n"
            + "System.getProperties().put(\"kept\", server.accept()); return in;";
    try (Task task = task(body);
        Socket peer = new Socket()) {
      int port = freePort();
      FutureTask<String> accepts =
          new FutureTask<>(() -> task.call("Opens", Integer.toString(port)));
      new Thread(accepts).start();
      while (!peer.isConnected()) {
        if (task.out.toString().contains("listens")) {
          peer.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
      }
      accepts.get();
      OpenSockets.close(task.process);
      assertThat(peer.getInputStream().read()).isEqualTo(-1);
    }
  }
}
