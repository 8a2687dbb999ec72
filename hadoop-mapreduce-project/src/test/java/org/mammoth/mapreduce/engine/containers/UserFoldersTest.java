// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.UserLaunch;

class UserFoldersTest {

  private static final String CONTAINER = "container_1_0001_01_000002";

  @TempDir private Path node;

  private Path application;
  private Path logs;
  private UserFolders folders;

  @BeforeEach
  void make() throws IOException {
    application =
        Files.createDirectories(node.resolve("d1/appcache")).resolve("application_1_0001");
    logs = Files.createDirectories(node.resolve("logs/application_1_0001")).resolve(CONTAINER);
    Path work = application.resolve(CONTAINER);
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec()
            .withIdentity(CONTAINER, "alice", 1)
            .withFolders(
                work.toString(),
                logs.toString(),
                List.of(
                    application.toString(), node.resolve("lost/appcache/application").toString()))
            .withFiles("", work.resolve("container_tokens").toString());
    folders =
        new UserFolders(
            spec,
            new UserLaunch(
                Map.of(),
                List.of(logs.toString(), node.resolve("lost/logs/c").toString()),
                List.of(),
                new byte[] {1, 2},
                new byte[] {3}));
  }

  @Test
  void allIsMadeAsOnStockAndGoesAgain() throws IOException {
    File jar = Files.createFile(node.resolve("job.jar")).toFile();
    folders.make(Map.of("job.jar", jar, "sub/x", jar));
    Path work = application.resolve(CONTAINER);
    assertThat(mode(application)).isEqualTo("rwxr-x---");
    assertThat(mode(work)).isEqualTo("rwx--x---");
    assertThat(mode(work.resolve("tmp"))).isEqualTo("rwx--x---");
    assertThat(mode(logs)).isEqualTo("rwxr-x---");
    assertThat(mode(work.resolve("container_tokens"))).isEqualTo("rw-------");
    assertThat(Files.readAllBytes(work.resolve("container_tokens"))).containsExactly(1, 2);
    assertThat(mode(work.resolve("launch_container.sh"))).isEqualTo("rwx------");
    assertThat(Files.readAllBytes(work.resolve("launch_container.sh"))).containsExactly(3);
    assertThat(work.resolve("job.jar")).isSymbolicLink();
    assertThat(work.resolve("sub/x").toRealPath()).isEqualTo(jar.toPath().toRealPath());
    assertThat(folders.isBegun()).isTrue();
    folders.remove();
    assertThat(work).doesNotExist();
    assertThat(application).exists();
    assertThat(jar).exists();
  }

  @Test
  void whatIsALinkIsNoFolder() throws IOException {
    Path elsewhere = Files.createDirectories(node.resolve("elsewhere"));
    Files.createDirectory(application);
    Files.createSymbolicLink(application.resolve(CONTAINER), elsewhere);
    assertThatThrownBy(() -> folders.make(Map.of())).isInstanceOf(IOException.class);
    folders.remove();
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void logsNeedTheFolderOfTheirApplication() throws IOException {
    Files.delete(logs.getParent());
    assertThatThrownBy(() -> folders.make(Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not there");
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
