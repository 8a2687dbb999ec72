// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.KeyReference;

class KnownKeysTest {

  private final KnownKeys keys =
      new KnownKeys(
          KeyReference.defaultsXml(
              List.of(
                  ConfigKey.ofBoolean("mammoth.a.enabled", true, Scope.JOB, "Whether a < b & c."),
                  ConfigKey.ofString("mammoth.a.path", "", Scope.NODE, "Where.")
                      .formerly("mammoth.a.folder"),
                  ConfigKey.ofLong("mammoth.a.port", 9853, 1, 65_535, "", Scope.SERVICE, "Port.")
                      .ofNameNodes())));

  @Test
  void aKeyThatThereIsIsNoComplaint() {
    assertThat(
            List.of(
                "mammoth.a.enabled",
                "mammoth.a.path",
                "mammoth.a.port",
                "mammoth.a.port.ns",
                "mammoth.a.port.ns.nn1",
                "mapreduce.job.name"))
        .allMatch(name -> keys.complaint(name).isEmpty());
  }

  @Test
  void aTypingErrorIsToldTheNearestKey() {
    assertThat(keys.complaint("mammoth.a.enabeld"))
        .contains("is no key of Mammoth's; the nearest is mammoth.a.enabled");
    assertThat(keys.complaint("mammoth.a.pth"))
        .contains("is no key of Mammoth's; the nearest is mammoth.a.path");
    assertThat(keys.complaint("mammoth.something.else.altogether"))
        .contains("is no key of Mammoth's");
    assertThat(keys.complaint("mammoth.a.port.ns.nn1.more")).isPresent();
    assertThat(keys.complaint("mammoth.a.path.ns")).isPresent();
  }

  @Test
  void aFormerNameIsToldThePresentOne() {
    assertThat(keys.has("mammoth.a.folder")).isTrue();
    assertThat(keys.complaint("mammoth.a.folder")).contains("is now called mammoth.a.path");
  }

  @Test
  void peopleReadNamesDefaultsAndMeanings() {
    assertThat(keys.text().lines())
        .startsWith("mammoth.a.enabled = true", "    Whether a < b & c. true | false");
  }

  @Test
  void theReleaseKnowsItsKeys() {
    KnownKeys release = KnownKeys.ofRelease();
    assertThat(release.has(KeyNames.ENGINE_ENABLED)).isTrue();
    assertThat(release.has("mammoth.console.port")).isTrue();
    assertThat(release.has("mammoth.mpcache.master.port.ns1.nn1")).isTrue();
  }
}
