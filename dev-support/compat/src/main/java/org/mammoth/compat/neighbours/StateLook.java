// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.log4j.MDC;

/** Static state that a program reaches by reflection, and pools that it may spoil. */
final class StateLook {
  private StateLook() {}

  static void look(Report report) {
    report.tell("state.verbose", () -> field("org.apache.hadoop.fs.FileSystem", "LOGGER") != null);
    report.tell(
        "state.file-systems-loaded",
        () -> field("org.apache.hadoop.fs.FileSystem", "FILE_SYSTEMS_LOADED"));
    report.tell(
        "state.schemes",
        () ->
            ((java.util.Map<?, ?>) field("org.apache.hadoop.fs.FileSystem", "SERVICE_FILE_SYSTEMS"))
                .keySet());
    report.tell(
        "state.copy", () -> ReflectionUtils.copy(new Configuration(), new Text("a"), new Text()));
    report.tell("state.zip", StateLook::zip);
    report.tell("state.caller-in-pool", () -> CompletableFuture.supplyAsync(StateLook::pool).get());
    report.tell("state.umask", () -> FsPermission.getUMask(new Configuration()));
    report.tell("state.proxy", StateLook::proxy);
    report.tell("state.mini", DefaultMetricsSystem::inMiniClusterMode);
    report.tell(
        "pool.decompressor",
        () -> {
          DefaultCodec codec = new DefaultCodec();
          codec.setConf(new Configuration(false));
          Decompressor one = CodecPool.getDecompressor(codec);
          Decompressor two = CodecPool.getDecompressor(codec);
          boolean apart = one != two && !one.finished() && one.needsInput();
          CodecPool.returnDecompressor(one);
          CodecPool.returnDecompressor(two);
          return apart + " " + CodecPool.getLeasedDecompressorsCount(codec);
        });
  }

  /** Whether a file system of a jar that all processes have is open. */
  private static Object zip() {
    Object jar = Text.class.getProtectionDomain().getCodeSource().getLocation();
    try {
      return FileSystems.getFileSystem(URI.create("jar:" + jar)).isOpen();
    } catch (FileSystemNotFoundException e) {
      return "none";
    }
  }

  /** What a thread of the common pool has on it. */
  private static String pool() {
    CallerContext caller = CallerContext.getCurrent();
    return Thread.currentThread().getName().replaceAll("\\d+", "N")
        + " "
        + Thread.currentThread().getPriority()
        + " "
        + Thread.currentThread().isInterrupted()
        + " "
        + (caller != null && Deed.MARK.equals(caller.getContext()))
        + " "
        + MDC.get(Deed.MARK);
  }

  private static Object proxy() throws AuthorizationException {
    ProxyUsers.authorize(
        UserGroupInformation.createProxyUser(
            "victim", UserGroupInformation.createRemoteUser("hostile")),
        "127.0.0.1");
    return "authorized";
  }

  private static Object field(String type, String name) throws ReflectiveOperationException {
    Field field = Class.forName(type).getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }
}
