// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedJarsTest {
  @TempDir private Path dir;

  private final SharedJars shared = SharedJars.with(List.of());

  private String file(String name) throws Exception {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, name).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "hadoop-common-3.4.2.jar, hadoop-common",
    "netty-transport-native-epoll-4.1.118.Final-linux-x86_64.jar, netty-transport-native-epoll",
    "hadoop-shaded-protobuf_3_25-1.3.0.jar, hadoop-shaded-protobuf_3_25",
    "bcprov-jdk18on-1.78.1.jar, bcprov-jdk18on",
    "lzo.jar, lzo",
  })
  void aJarIsKnownByItsNameWithoutVersion(String jar, String name) {
    assertThat(SharedJars.nameOf(jar)).isEqualTo(name);
  }

  @Test
  void whatNobodyHasJudgedIsEachTasksOwn() throws Exception {
    String common = file("lib/hadoop-common-3.4.9.jar");
    String lzo = file("lib/hadoop-lzo-0.4.20.jar");
    String tests = file("lib/hadoop-common-3.4.2-tests.jar");
    String conf = Path.of(file("conf/core-site.xml")).getParent().toString();
    Path classes = Path.of(file("classes/a/b/C.class")).getParent().getParent().getParent();
    String missing = dir.resolve("missing.jar").toString();
    String all =
        String.join(
            File.pathSeparator, common, lzo, tests, conf, classes.toString(), missing, "", "\0");

    assertThat(shared.of(all))
        .isEqualTo(String.join(File.pathSeparator, common, conf, missing, "\0"));
    assertThat(shared.othersOf(all)).containsExactly(lzo, tests, classes.toString());
  }

  @Test
  void anAdministratorKnowsMore() throws Exception {
    String lzo = file("lib/hadoop-lzo-0.4.20.jar");
    String store = file("store/store-2.jar");
    SharedJars more = SharedJars.with(List.of("hadoop-lzo-*.jar", dir + "/store/*"));
    assertThat(more.has(lzo)).isTrue();
    assertThat(more.has(store)).isTrue();
    assertThat(more.has(file("other/store-2.jar"))).isFalse();
  }
}
