// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Carries a real archive through a stand-in of ssh that runs the command line here. */
class RemoteTest {

  @TempDir Path folder;

  private List<String> ssh;

  @BeforeEach
  void start() throws IOException {
    Path jars = folder.resolve("base/share/hadoop/mammoth/upgrade");
    Files.createDirectories(jars);
    Files.createDirectories(folder.resolve("base/bin"));
    Files.createDirectories(folder.resolve("base/share/hadoop/mammoth/console"));
    Files.writeString(folder.resolve("base/share/hadoop/mammoth/console/big.jar"), "big");
    Files.writeString(jars.resolve("jackson-databind-2.jar"), "");
    script(
        "base/bin/mammoth-upgrade",
        "here=${BASH_SOURCE[0]%/bin/*}\n"
            + "printf '%s|' \"$@\"; echo\n"
            + "echo $here >"
            + folder.resolve("where")
            + "\nfind $here -type f | sed \"s#$here/##\" | sort\n"
            + "[[ $1 != fail ]]\n");
    // As where the temporary folder is mounted noexec.
    Files.setPosixFilePermissions(
        folder.resolve("base/bin/mammoth-upgrade"), PosixFilePermissions.fromString("rw-r--r--"));
    ssh =
        List.of(
            script(
                    "ssh",
                    "[[ $1 != away ]] || { echo 'no route to host'; exit 255; }\n"
                        + "[[ $1 != breaks ]] || { sh -c \"$2\"; exit 255; }\n"
                        + "exec sh -c \"$2\"\n")
                .toString());
  }

  private Path script(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/usr/bin/env bash\n" + text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Remote.Answer run(String host, String... words) throws Exception {
    try (Payload payload = Payload.of(folder.resolve("base"))) {
      return new Remote(ssh, payload).run(host, List.of(words), line -> {});
    }
  }

  @Test
  void theCommandIsCarriedRunAndRemoved() throws Exception {
    Remote.Answer answer = run("h1", "apply", "--probe", "a 'quoted' $word; x");
    assertThat(answer.status()).isZero();
    assertThat(answer.lines())
        .containsExactly(
            "apply|--probe|a 'quoted' $word; x|",
            "bin/mammoth-upgrade",
            "share/hadoop/mammoth/upgrade/jackson-databind-2.jar");
    assertThat(Path.of(Files.readString(folder.resolve("where")).trim())).doesNotExist();
  }

  @Test
  void failureAndAbsenceAreToldApart() throws Exception {
    assertThat(run("h1", "fail").status()).isEqualTo(1);
    assertThat(run("h1", "fail").isReached()).isTrue();
    assertThat(run("away", "apply").isReached()).isFalse();
    assertThat(run("away", "apply").isLost()).isFalse();
    Remote.Answer broken = run("breaks", "apply");
    assertThat(broken.isReached()).isTrue();
    assertThat(broken.isLost()).isTrue();
    assertThat(broken.lines()).contains("apply|");
  }

  @Test
  void aBatchWithTroubleIsTheLast() throws Exception {
    List<String> visited = new ArrayList<>();
    Map<String, Remote.Answer> answers =
        Rollout.visit(
            List.of("a", "b", "c", "d", "e"),
            2,
            false,
            (host, isFirst) -> {
              synchronized (visited) {
                visited.add(host + isFirst);
              }
              return new Remote.Answer(host, host.equals("d") ? 1 : 0, List.of());
            });
    assertThat(visited).containsExactlyInAnyOrder("atrue", "bfalse", "ctrue", "dfalse");
    assertThat(answers.keySet()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void hostsAreReadFromAWorkersFile() throws IOException {
    Path file = Files.writeString(folder.resolve("workers"), "h2\n# old\nh1 # rack 2\n\nh2\n");
    assertThat(Hosts.read(file)).containsExactly("h2", "h1");
    Files.write(file, "h1 # a caf\u00e9\nh2\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(Hosts.read(file)).containsExactly("h1", "h2");
    Files.writeString(file, "-oProxyCommand=x\n");
    assertThatThrownBy(() -> Hosts.read(file)).hasMessageContaining("-oProxyCommand=x");
    Files.writeString(file, "#\n");
    assertThatThrownBy(() -> Hosts.read(file)).hasMessageContaining("names no host");
  }
}
