// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.URL;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

/** Sockets that a shared library opens in a task, for the job's code or for the engine's. */
final class SharedSockets {

  private SharedSockets() {}

  /** The engine's connections to other engines stay open, those of the job's code do not. */
  static void netty(Path folder) throws Exception {
    SharedJvm.require(opened(folder, NioSocketChannel::new), "the engine's connection is closed");
    SharedJvm.require(
        !opened(
            folder,
            () ->
                (Channel)
                    Class.forName("Connects", true, Thread.currentThread().getContextClassLoader())
                        .getMethod("channel")
                        .invoke(null)),
        "the connection of a job stays open after its task");
  }

  /** Whether a channel that a task opens so is open after it. */
  private static boolean opened(Path folder, Callable<Channel> opens) throws Exception {
    Path classes =
        SharedGaps.compiled(
            folder,
            "public class Connects { public static io.netty.channel.Channel channel() {"
                + " return new io.netty.channel.socket.nio.NioSocketChannel(); } }");
    URL[] urls = {classes.toUri().toURL()};
    TaskProcess task = SharedJvm.newTask();
    try (TaskClassLoader loader =
        new TaskClassLoader(
            "job", urls, SharedSockets.class.getClassLoader(), CallRewriter.standard())) {
      loader.bind(task);
      Channel channel =
          SharedJvm.in(
              task,
              () -> {
                Thread.currentThread().setContextClassLoader(loader);
                return opens.call();
              });
      SharedJvm.require(channel.isOpen(), "a channel is closed before its task ends");
      task.close();
      return channel.isOpen();
    }
  }
}
