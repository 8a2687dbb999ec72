// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.nodemanager.sites.EngineLauncher;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;
import org.mammoth.mapreduce.protocol.EngineHome;

class EngineJavaTest {

  @TempDir private Path homes;

  @Test
  void isTheNodeManagersUnlessAnotherOneIsNamed() throws IOException {
    EngineJava own = EngineJava.of(new Configuration(false));
    assertThat(own.program()).isEqualTo(Path.of(System.getProperty("java.home"), "bin", "java"));
    assertThat(own.feature()).isEqualTo(Runtime.version().feature());
    assertThat(own.unfit()).isEmpty();
    assertThat(java("21", "JAVA_VERSION=\"21.0.8\"\n").feature()).isEqualTo(21);
  }

  @Test
  void enginesStartOnTheOneThatIsNamed() throws IOException {
    java("18", "JAVA_VERSION=\"18\"\n");
    Configuration conf = configured("18");
    EngineLauncher.Places places = new EngineLauncher.Places(homes, homes, homes, homes);
    assertThat(
            new EngineLauncher(conf, () -> SpinningDirs.NONE)
                .command(places, "ann", EngineHome.TASKS, EngineSizing.of(conf)))
        .startsWith(homes.resolve("18/bin/java").toString())
        .doesNotContain("-XX:+UseBiasedLocking");
  }

  @Test
  void onlyAJavaThatHasASecurityManagerIsToldOfOne() throws IOException {
    String allow = "-Djava.security.manager=allow";
    String actions = "--add-opens=java.base/sun.security.action=ALL-UNNAMED";
    assertThat(java("23", "JAVA_VERSION=\"23.0.1\"\n").options()).contains(allow, actions);
    assertThat(java("25", "JAVA_VERSION=\"25.0.1\"\n").options())
        .contains("--add-opens=java.base/java.lang=ALL-UNNAMED")
        .doesNotContain(allow, actions);
  }

  @Test
  void saysWhyItIsUnfit() throws IOException {
    assertThat(java("11", "JAVA_VERSION=\"11.0.13\"\n").unfit().orElseThrow())
        .contains("need Java 17", homes.resolve("11") + " has 11", "set mammoth.engine.java-home");
    assertThat(java("8", "JAVA_VERSION=\"1.8.0_402\"\n").unfit()).isPresent();
    assertThat(java("none", "").unfit().orElseThrow()).contains("no JAVA_VERSION");
    assertThat(EngineJava.of(configured("missing")).unfit().orElseThrow())
        .contains(homes.resolve("missing/bin/java") + " cannot be run");
    assertThat(java("17", "JAVA_VERSION=\"17.0.1\"\n").unfit()).isEmpty();
    Files.delete(homes.resolve("17/release"));
    assertThat(EngineJava.of(configured("17")).unfit().orElseThrow()).contains("cannot be told");
  }

  @Test
  void anotherBuildInTheSameFolderIsAnotherVersion() throws IOException {
    String before = java("25", "JAVA_VERSION=\"25.0.1\"\n").version();
    assertThat(java("25", "JAVA_VERSION=\"25.0.2\"\n").version()).isNotEqualTo(before);
  }

  private EngineJava java(String name, String release) throws IOException {
    Path home = homes.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Path program = home.resolve("bin").resolve("java");
    Files.writeString(program, "#!/bin/sh\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(home.resolve("release"), release);
    return EngineJava.of(configured(name));
  }

  private Configuration configured(String name) {
    Configuration conf = new Configuration(false);
    conf.set(EngineKeys.JAVA_HOME.name(), homes.resolve(name).toString());
    return conf;
  }
}
