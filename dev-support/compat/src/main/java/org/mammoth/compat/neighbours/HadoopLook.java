// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.WritableFactories;
import org.apache.hadoop.io.WritableName;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ShutdownHookManager;

/** Static state of Hadoop's own classes that programs reach through public methods. */
final class HadoopLook {
  private HadoopLook() {}

  static void look(Report report, Configuration conf) {
    configuration(report);
    files(report, conf);
    types(report);
    report.tell("ugi.security", UserGroupInformation::isSecurityEnabled);
    user(report, "login", UserGroupInformation::getLoginUser);
    user(report, "current", UserGroupInformation::getCurrentUser);
    report.tell(
        "ugi.same",
        () ->
            UserGroupInformation.getLoginUser()
                .getUserName()
                .equals(UserGroupInformation.getCurrentUser().getUserName()));
    report.tell(
        "ugi.login-doas",
        () ->
            UserGroupInformation.getLoginUser()
                .doAs(
                    (PrivilegedExceptionAction<String>)
                        () -> UserGroupInformation.getLoginUser().getShortUserName()));
    report.tell("limits", Limits::getCountersMax);
    report.tell("limits.groups", Limits::getGroupsMax);
    report.tell("exit.disabled", () -> ExitUtil.getFirstExitException() == null);
    report.tell("hooks.ending", () -> ShutdownHookManager.get().isShutdownInProgress());
    report.tell("caller", () -> String.valueOf(CallerContext.getCurrent()));
    report.tell(
        "token.ip",
        () -> SecurityUtil.buildTokenService(java.net.URI.create("hdfs://localhost:1")));
    report.tell("metrics.mark", () -> DefaultMetricsSystem.instance().getSource(Deed.MARK) != null);
  }

  private static void configuration(Report report) {
    report.tell("conf.resources", () -> new Configuration().toString());
    report.tell("conf.size", () -> new Configuration().size());
    report.tell("conf.mark", () -> new Configuration().get(Deed.MARK));
    report.tell("conf.deprecated", () -> Configuration.isDeprecated("hostile.old.key"));
    report.tell(
        "conf.alias",
        () -> {
          Configuration own = new Configuration(false);
          own.set("hostile.old.key", "value");
          return own.get("hostile.new.key");
        });
    report.tell("conf.warned", () -> Configuration.hasWarnedDeprecation("hostile.old.key"));
  }

  private static void files(Report report, Configuration conf) {
    report.tell("codec.classes", () -> CompressionCodecFactory.getCodecClasses(conf));
    report.tell(
        "codec.rot",
        () -> String.valueOf(new CompressionCodecFactory(conf).getCodec(new Path("x.rot"))));
    report.tell("fs.rot", () -> FileSystem.getFileSystemClass("rot", conf));
    report.tell("fs.file", () -> FileSystem.getFileSystemClass("file", conf));
    report.tell("fs.root", () -> FileSystem.get(conf).exists(new Path("/")));
    report.tell("fs.local", () -> FileSystem.getLocal(conf).getClass());
    report.tell("fs.default", () -> FileSystem.getDefaultUri(new Configuration()).getScheme());
    report.tell("fs.symlinks", FileSystem::areSymlinksEnabled);
    report.tell(
        "fs.statistics",
        () ->
            FileSystem.getAllStatistics().stream()
                .map(FileSystem.Statistics::getScheme)
                .distinct()
                .toList());
  }

  private static void types(Report report) {
    report.tell("io.name", () -> WritableName.getClass(Deed.MARK, new Configuration(false)));
    report.tell("io.name-of-text", () -> WritableName.getName(Text.class));
    report.tell("io.comparator", () -> WritableComparator.get(Text.class).getClass());
    report.tell("io.comparator-long", () -> WritableComparator.get(LongWritable.class).getClass());
    report.tell(
        "io.factory", () -> String.valueOf(WritableFactories.getFactory(LongWritable.class)));
    report.tell("io.text", () -> Text.decode(Text.encode("a\u017eb").array(), 0, 4));
  }

  /** How a user is found. */
  private interface UserOf {
    UserGroupInformation get() throws IOException;
  }

  private static void user(Report report, String which, UserOf user) {
    report.tell("ugi." + which, () -> user.get().getShortUserName());
    report.tell("ugi." + which + ".method", () -> user.get().getAuthenticationMethod());
    report.tell("ugi." + which + ".keytab", () -> user.get().hasKerberosCredentials());
    report.tellEach(
        "ugi." + which + ".credentials", () -> credentials(user.get().getCredentials()));
  }

  private static Map<String, Object> credentials(Credentials credentials) {
    Map<String, Object> seen = new TreeMap<>();
    List<String> kinds = new ArrayList<>();
    credentials.getAllTokens().forEach(token -> kinds.add(token.getKind().toString()));
    List<String> keys = new ArrayList<>();
    credentials.getAllSecretKeys().forEach(key -> keys.add(key.toString()));
    seen.put("tokens", kinds);
    seen.put("secrets", keys);
    return seen;
  }
}
