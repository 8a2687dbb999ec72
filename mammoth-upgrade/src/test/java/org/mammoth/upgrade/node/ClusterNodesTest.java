// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ClusterNodesTest {

  private static String node(String id, int usedMb, int freeMb, int usedCores, int freeCores) {
    return """
        {"id":"%s","state":"RUNNING","usedMemoryMB":%d,"availMemoryMB":%d,
         "usedVirtualCores":%d,"availableVirtualCores":%d}"""
        .formatted(id, usedMb, freeMb, usedCores, freeCores);
  }

  private static ClusterNodes nodes(String... nodes) throws IOException {
    String page = "{\"nodes\":{\"node\":[" + String.join(",", nodes) + "]}}";
    return new ClusterNodes(new ObjectMapper().readTree(page));
  }

  @Test
  void anotherIsAsLarge() throws IOException {
    ClusterNodes two = nodes(node("a:1", 1024, 3072, 1, 3), node("b:1", 4096, 0, 4, 0));
    assertThat(two.hasAnotherAsLargeAs("a:1")).isTrue();
    assertThat(two.hasAnotherAsLargeAs("b:1")).isTrue();
  }

  @Test
  void theLargestIsAlone() throws IOException {
    ClusterNodes two = nodes(node("a:1", 0, 8192, 0, 8), node("b:1", 0, 8192, 0, 4));
    assertThat(two.hasAnotherAsLargeAs("a:1")).isFalse();
    assertThat(two.hasAnotherAsLargeAs("b:1")).isTrue();
    assertThat(nodes(node("a:1", 0, 8192, 0, 8)).hasAnotherAsLargeAs("a:1")).isFalse();
  }

  @Test
  void aSizeIsRememberedIfAllOfItCanBeTold() throws IOException {
    ClusterNodes two = nodes(node("a:1", 1024, 3072, 1, 3), node("b:1", 4096, 0, 4, 0));
    assertThat(two.sizeToRemember("a:1")).contains(new ClusterNodes.Size(4096, 4));
    assertThat(two.sizeToRemember("c:1")).isEmpty();
    String more =
        node("a:1", 0, 8192, 0, 8)
            .replace(
                "}",
                ",\"totalResource\":{\"resourceInformations\":{\"resourceInformation\":"
                    + "[{\"name\":\"memory-mb\"},{\"name\":\"vcores\"},{\"name\":\"gpu\"}]}}}");
    assertThat(
            new ClusterNodes(new ObjectMapper().readTree("{\"nodes\":{\"node\":[" + more + "]}}"))
                .sizeToRemember("a:1"))
        .isEmpty();
  }

  @Test
  void noneRuns() throws IOException {
    assertThat(
            new ClusterNodes(new ObjectMapper().readTree("{\"nodes\":null}"))
                .hasAnotherAsLargeAs("a"))
        .isFalse();
  }
}
