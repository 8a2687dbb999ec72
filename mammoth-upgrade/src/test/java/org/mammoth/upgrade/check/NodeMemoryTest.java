// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.SiteConfig;
import org.mammoth.upgrade.tree.Variables;

/** The release's own configuration on machines of several sizes. */
class NodeMemoryTest {

  private static final Path RELEASE = Path.of("../hadoop-dist/src/main/conf");
  private static final long HEAP_MB = 1024;

  @TempDir Path temp;

  /** The release's, and what stands in a further file. */
  private SiteConfig site(String... keysAndValues) throws IOException {
    StringBuilder text = new StringBuilder("<configuration>");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      text.append("<property><name>").append(keysAndValues[i]).append("</name><value>");
      text.append(keysAndValues[i + 1]).append("</value></property>");
    }
    Path own = Files.writeString(temp.resolve("own.xml"), text + "</configuration>");
    return SiteConfig.read(
        Stream.concat(
                Stream.of("core-site.xml", "yarn-site.xml", "mapred-site.xml")
                    .map(RELEASE::resolve),
                Stream.of(own))
            .toList(),
        Variables.ofThisTool(name -> null));
  }

  private static Finding on(SiteConfig site, long physicalMb) {
    return NodeMemory.check(site, site, physicalMb, HEAP_MB);
  }

  @ParameterizedTest
  @CsvSource({
    "3900, ERROR, 1481",
    "4096, ERROR, 1638",
    "5120, ERROR, 2457",
    "5300, OK, 2601",
    "7680, OK, 4505",
    "65536, OK, 50790"
  })
  void theReleaseSaysWhereNoJobWouldRun(long physicalMb, Finding.Level level, long offer)
      throws IOException {
    Finding finding = on(site(), physicalMb);
    assertThat(finding.level()).as(finding.text()).isEqualTo(level);
    assertThat(finding.text())
        .contains(offer + " MiB of " + physicalMb)
        .contains("an ApplicationMaster takes 1536, a map 1024");
    assertThat(finding.remedy())
        .matches(
            level == Finding.Level.OK ? "" : ".*resource.memory-mb in yarn-site.xml to 2560.*");
  }

  /** So does the release before it was mended: a quarter of the machine twice, and 2048 for one. */
  @Test
  void upstreamsStepAndHeapTakeMore() throws IOException {
    SiteConfig site = site("yarn.scheduler.minimum-allocation-mb", "1024");
    Finding finding = NodeMemory.check(site, site, 7600, 7600 / 4);
    assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(finding.text()).contains("takes 2048");
  }

  @Test
  void whatIsToldCounts() throws IOException {
    assertThat(on(site("yarn.nodemanager.resource.memory-mb", "2560"), 4096).level())
        .isEqualTo(Finding.Level.OK);
    assertThat(on(site("yarn.nodemanager.resource.memory-mb", "-1"), 4096).level())
        .isEqualTo(Finding.Level.ERROR);
    assertThat(on(site("yarn.nodemanager.resource.system-reserved-memory-mb", "1536"), 4096).text())
        .contains("2560 MiB of 4096");
    assertThat(
            on(site("yarn.nodemanager.resource.detect-hardware-capabilities", "false"), 4096)
                .text())
        .contains("8192 MiB of 4096");
    assertThat(
            on(
                    site(
                        "yarn.app.mapreduce.am.resource.mb",
                        "512",
                        "mapreduce.map.memory.mb",
                        "513"),
                    4096)
                .text())
        .contains("takes 512, a map 768");
  }

  @Test
  void amongOthersASmallNodeIsOnlyWarnedOf() throws IOException {
    SiteConfig cluster = site("yarn.resourcemanager.hostname", "m1");
    assertThat(on(cluster, 5000).level()).isEqualTo(Finding.Level.WARNING);
    assertThat(on(cluster, 3500).level()).as("no master fits").isEqualTo(Finding.Level.ERROR);
  }

  @ParameterizedTest
  @CsvSource({"-Xmx512m -Xmx2g, 4", "-Xmx1073741824, 2", "-Xmx2097152K, 4", "-server, 0.5"})
  void theHeapIsThatOfTheProcess(String words, double heapsOfGib) throws IOException {
    JavaProcess process = new JavaProcess(1, List.of(words.split(" ")), Map.of(), "nobody");
    SiteConfig site = site();
    Finding finding = NodeMemory.check(site, site, Optional.of(process)).orElseThrow();
    long physical = Long.parseLong(finding.text().replaceFirst(".* MiB of (\\d+) .*", "$1"));
    double twice = words.equals("-server") ? physical / 4 * 2 : heapsOfGib * 1024;
    assertThat(finding.text()).startsWith(Math.max(0, (long) (0.8 * (physical - twice))) + " MiB");
  }
}
