// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import static org.mammoth.mapreduce.statics.SharedJvm.in;
import static org.mammoth.mapreduce.statics.SharedJvm.newTask;
import static org.mammoth.mapreduce.statics.SharedJvm.require;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.mammoth.engine.isolation.Detour;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;

/** What code of a task finds that runs on though its process would be gone. */
final class SharedEnds {

  private static final URI LOCAL = URI.create("file:///");
  private static final int SHORT_MS = 500;

  private SharedEnds() {}

  static void check() throws Exception {
    Configuration conf = new Configuration();
    refused(() -> FileSystem.newInstance(LOCAL, conf));
    refused(() -> FileSystem.get(LOCAL, conf));
    refused(() -> FileContext.getFileContext(LOCAL, conf));
    try (ServerSocket master = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      master.setSoTimeout(SHORT_MS);
      refused(() -> call((InetSocketAddress) master.getLocalSocketAddress(), conf));
      try {
        master.accept();
        throw new AssertionError("a call goes out");
      } catch (SocketTimeoutException nobodyCalls) {
        require(!master.isClosed(), "closed");
      }
    }
    TaskProcess ended = newTask();
    ended.standStill();
    try (Detour ignored = Detour.as(ended)) {
      FileSystem.newInstance(LOCAL, conf).close(); // the engine, in its name
    }
  }

  /** Its thread that has asked for the end leaves streams whole for the hook that closes them. */
  static void streams() throws Exception {
    TaskProcess task = newTask();
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    FSDataOutputStream out = new FSDataOutputStream(written, null);
    DFSOutputStream file = unmade(DFSOutputStream.class);
    in(
        task,
        () -> {
          out.write('a');
          try {
            task.requestExit(3, false);
          } catch (TaskExit asked) {
            stands(() -> out.write('b'));
            stands(() -> out.write(new byte[] {'b'}));
            stands(file::hflush);
            stands(file::hsync);
            stands(file::close);
          }
          return null;
        });
    in(
        task,
        () -> {
          out.write('c');
          out.close();
          return null;
        });
    require(written.toString(StandardCharsets.US_ASCII).equals("ac"), "written: " + written);
  }

  /** One that has no field set: whatever it does fails. */
  private static <T> T unmade(Class<T> type) throws ReflectiveOperationException {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field only = unsafe.getDeclaredField("theUnsafe");
    only.setAccessible(true);
    return type.cast(
        unsafe.getMethod("allocateInstance", Class.class).invoke(only.get(null), type));
  }

  private interface Change {
    void make() throws IOException;
  }

  private static void stands(Change change) throws IOException {
    boolean refused = false;
    try {
      change.make();
    } catch (TaskExit e) {
      refused = true;
    }
    require(refused, "goes on");
  }

  private static Object call(InetSocketAddress master, Configuration conf) throws Exception {
    TaskUmbilicalProtocol proxy =
        RPC.getProxy(TaskUmbilicalProtocol.class, TaskUmbilicalProtocol.versionID, master, conf);
    try {
      return proxy.getMapCompletionEvents(new JobID("1", 1), 0, 1, null);
    } finally {
      RPC.stopProxy(proxy);
    }
  }

  private static void refused(Callable<Object> reach) throws Exception {
    TaskProcess task = newTask();
    task.standStill();
    boolean refused =
        in(
            task,
            () -> {
              try {
                reach.call();
                return false;
              } catch (TaskExit | RemoteException e) {
                return true;
              }
            });
    require(refused, "goes on");
  }
}
