// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;
import org.mammoth.compat.cluster.SharedCluster;

/** Two users' jobs at once use two engines, and each engine acts as its user. */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoUsersIT {
  private static final List<UserGroupInformation> USERS =
      List.of(
          UserGroupInformation.createRemoteUser("alice"),
          UserGroupInformation.createRemoteUser("bob"));

  private JobCode code;

  @BeforeAll
  void pack(MiniCluster cluster) throws Exception {
    code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("two-users.jar"));
    Path probes = new Path("/probe");
    cluster.fs().mkdirs(probes);
    cluster.fs().setPermission(probes, new FsPermission("1777"));
    for (UserGroupInformation user : USERS) {
      as(
          user,
          () -> {
            FileSystem fs = FileSystem.get(cluster.conf());
            Path secret = secretOf(user);
            try (OutputStream out = fs.create(secret)) {
              out.write(("secret of " + user.getUserName()).getBytes(StandardCharsets.UTF_8));
            }
            fs.setPermission(secret, new FsPermission("600"));
            return null;
          });
    }
  }

  private static Path secretOf(UserGroupInformation user) {
    return new Path("/user/" + user.getUserName() + "-secret");
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }

  @Test
  void jobsAtOnceUseTwoEngines(MiniCluster cluster) throws Exception {
    List<Probe> probes = new ArrayList<>();
    for (UserGroupInformation user : USERS) {
      List<String> map = List.of("sleep 4000", "hdfs " + secretOf(user));
      String name = "two-users-" + user.getUserName();
      probes.add(
          as(user, () -> Probe.of(cluster, code, name, Collections.nCopies(2, map)).submit()));
    }
    Set<Long> engines = new HashSet<>();
    for (int i = 0; i < USERS.size(); i++) {
      Probe probe = probes.get(i);
      UserGroupInformation user = USERS.get(i);
      assertThat(as(user, probe::await)).isTrue();
      String own = "secret of " + user.getUserName();
      assertThat(as(user, probe::answers))
          .containsEntry("hdfs " + secretOf(user), List.of(own, own));
      assertThat(probe.notes().ordinary()).isEmpty();
      assertThat(probe.notes().processes()).as("engines of " + user.getUserName()).hasSize(1);
      engines.addAll(probe.notes().processes());
    }
    assertThat(engines).as("engines of both users").hasSize(2);
  }

  @Test
  void anEngineReadsNothingThatItsUserMayNot(MiniCluster cluster) throws Exception {
    UserGroupInformation thief = USERS.get(1);
    Path secret = secretOf(USERS.get(0));
    Probe probe =
        as(
            thief,
            () -> Probe.of(cluster, code, "two-users-thief", List.of(List.of("hdfs " + secret))));
    probe.job().getConfiguration().setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
    boolean succeeded = as(thief, () -> probe.submit().await());
    assertThat(succeeded).isFalse();
    assertThat(diagnostics(cluster, probe)).contains("Permission denied").contains("user=bob");
  }

  /** What the failed attempt said, from its container's log. */
  private static String diagnostics(MiniCluster cluster, Probe probe) throws IOException {
    StringBuilder text = new StringBuilder();
    java.nio.file.Path logs =
        cluster.home().resolve("logs").resolve(probe.application().toString());
    try (var files = java.nio.file.Files.walk(logs)) {
      for (java.nio.file.Path file : files.filter(path -> path.endsWith("syslog")).toList()) {
        text.append(java.nio.file.Files.readString(file));
      }
    }
    return text.toString();
  }
}
