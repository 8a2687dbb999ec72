// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LatestMapTest {

  @Test
  void forgetsWhatWasNotUsedForLongest() {
    Map<String, Integer> map = LatestMap.byUse(2);
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);
    map.put("c", 3);
    assertThat(map).containsOnlyKeys("a", "c");
  }

  @Test
  void forgetsWhatWasPutFirst() {
    Map<String, Integer> map = LatestMap.byAge(2);
    map.put("a", 1);
    map.put("b", 2);
    map.put("a", 3);
    assertThat(map.get("a")).isEqualTo(3);
    map.put("c", 4);
    assertThat(map).containsOnlyKeys("b", "c");
  }

  @Test
  void aMapOfNothingIsAMistake() {
    assertThatIllegalArgumentException().isThrownBy(() -> LatestMap.byUse(0));
  }
}
