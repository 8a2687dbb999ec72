// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteConfigTest {

  @TempDir Path folder;

  private Path file(String name, String inner) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        "<?xml version=\"1.0\"?>\n<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
            + inner
            + "</configuration>");
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private static SiteConfig read(Path... files) throws IOException {
    return SiteConfig.read(List.of(files), Variables.ofThisTool(Map.of("SET", "here")::get));
  }

  @Test
  void laterFilesGoBeforeEarlierOnes() throws IOException {
    Path one = file("one.xml", property("a", "1") + property("b", " 2 "));
    Path two = file("two.xml", property("a", "3"));
    SiteConfig conf = read(one, two, folder.resolve("absent.xml"));
    assertThat(conf.get("a", "")).isEqualTo("3");
    assertThat(conf.get("b", "")).isEqualTo("2");
    assertThat(conf.origin("a")).contains(two);
    assertThat(conf.get("c", "default")).isEqualTo("default");
  }

  @Test
  void whatIsFinalStays() throws IOException {
    Path one =
        file("one.xml", "<property><name>a</name><value>1</value><final>true</final></property>");
    SiteConfig conf = read(one, file("two.xml", property("a", "3")));
    assertThat(conf.get("a", "")).isEqualTo("1");
    assertThat(conf.isFinal("a")).isTrue();
  }

  @Test
  void includedFilesCount() throws IOException {
    file("more.xml", property("a", "1") + property("b", "2"));
    Path one = file("one.xml", "<xi:include href=\"more.xml\"/>" + property("a", "3"));
    SiteConfig conf = read(one);
    assertThat(conf.get("a", "")).isEqualTo("3");
    assertThat(conf.get("b", "")).isEqualTo("2");
  }

  @Test
  void variablesAreReplaced() throws IOException {
    Path one =
        file(
            "one.xml",
            property("host", "h1")
                + property("address", "${host}:${port}")
                + property("port", "80${env.SET}")
                + property("else", "${env.UNSET:-other}")
                + property("unknown", "${what.is.this}"));
    SiteConfig conf = read(one);
    assertThat(conf.get("address", "")).isEqualTo("h1:80here");
    assertThat(conf.get("else", "")).isEqualTo("other");
    assertThat(conf.get("unknown", "")).isEqualTo("${what.is.this}");
    assertThat(conf.get("nm", "${yarn.nodemanager.hostname}:1")).isEqualTo("0.0.0.0:1");
  }

  @Test
  void variablesAreTheDaemonsOwn() throws IOException {
    Path one = file("one.xml", property("dir", "/data/${user.name}/${env.ONLY_ITS}/${its.own}"));
    DaemonStart daemon =
        DaemonStart.of(
            new JavaProcess(
                1,
                List.of("java", "-Dits.own=last", "Main"),
                Map.of("ONLY_ITS", "here"),
                "somebody"));
    SiteConfig conf = SiteConfig.read(List.of(one), daemon);
    assertThat(conf.get("dir", "")).isEqualTo("/data/somebody/here/last");
    assertThat(HadoopTree.localDirs(conf))
        .containsExactly(Path.of("/tmp/hadoop-somebody/nm-local-dir"));
  }

  @Test
  void listsAreSplit() throws IOException {
    SiteConfig conf = read(file("one.xml", property("a", " x, y ,,z ")));
    assertThat(conf.list("a", "")).containsExactly("x", "y", "z");
    assertThat(conf.list("b", "")).isEmpty();
  }

  @Test
  void aFileThatIsNoneIsNamed() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.xml"), "<configuration>");
    assertThatThrownBy(() -> read(bad)).isInstanceOf(IOException.class).hasMessageContaining("bad");
  }
}
