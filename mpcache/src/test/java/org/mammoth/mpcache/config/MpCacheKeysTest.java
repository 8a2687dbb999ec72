// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.config.ConfigKey;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.policy.LfuPolicy;
import org.mammoth.mpcache.policy.MpCachePolicy;

class MpCacheKeysTest {

  private final Configuration conf = new Configuration(false);

  @Test
  void everyDefaultIsInItsOwnRange() {
    for (ConfigKey<?> key : MpCacheKeys.all()) {
      Object byDefault = key.get(conf);
      conf.set(key.name(), key.defaultText());
      assertThat(key.get(conf)).as(key.name()).isEqualTo(byDefault);
    }
  }

  @Test
  void directoriesHaveSizes() {
    conf.set("mammoth.mpcache.dirs", "/ssd0/c=80g, /ssd1/c=512m");
    assertThat(MpCacheKeys.DIRS.get(conf))
        .extracting(directory -> directory.path() + " " + directory.capacity())
        .containsExactly("/ssd0/c " + (80L << 30), "/ssd1/c " + (512L << 20));
    for (String wrong : new String[] {"/ssd0", "/ssd0=", "ssd0=1g", "/ssd0=0", "/ssd0=big"}) {
      conf.set("mammoth.mpcache.dirs", wrong);
      assertThatThrownBy(() -> MpCacheKeys.DIRS.get(conf))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("mammoth.mpcache.dirs is '" + wrong + "'");
    }
  }

  @Test
  void aValueOutOfRangeNamesTheKeyAndTheRemedy() {
    conf.set("mammoth.mpcache.guard", "1.5");
    assertThatThrownBy(() -> MpCacheKeys.GUARD.get(conf))
        .hasMessageContaining("mammoth.mpcache.guard is '1.5', allowed: 0.0 .. 1.0");
    conf.set("mammoth.mpcache.fill.threads", "0");
    assertThatThrownBy(() -> MpCacheKeys.FILL_THREADS.get(conf)).hasMessageContaining("1 .. 64");
    conf.set("mammoth.mpcache.enabled", "yes");
    assertThatThrownBy(() -> MpCacheKeys.ENABLED.get(conf)).hasMessageContaining("true | false");
  }

  @Test
  void policiesAreExchangeable() {
    AdmissionFacility facility = new AdmissionFacility(1);
    assertThat(MpCacheKeys.policy(conf, facility)).isInstanceOf(MpCachePolicy.class);
    conf.set("mammoth.mpcache.policy", "lfu");
    assertThat(MpCacheKeys.policy(conf, facility)).isInstanceOf(LfuPolicy.class);
    conf.set("mammoth.mpcache.policy", "fifo");
    assertThatThrownBy(() -> MpCacheKeys.policy(conf, facility))
        .hasMessageContaining("mpcache | lru | lfu | lfu-history");
  }

  @Test
  void filesOfSubmittedJobsAreLeftOut() {
    PathRules rules = MpCacheKeys.rules(conf);
    assertThat(rules.cacheable(new DataSetId("/tmp/hadoop-yarn/staging/u/.staging/job_1")))
        .isFalse();
    assertThat(rules.cacheable(new DataSetId("/tmp/logs/u"))).isFalse();
    assertThat(rules.cacheable(new DataSetId("/tmp/input"))).isTrue();
    conf.set("mammoth.mpcache.exclude", "/scratch");
    assertThat(MpCacheKeys.rules(conf).cacheable(new DataSetId("/tmp/logs/u"))).isTrue();
  }

  @Test
  void theLongerPathDecides() {
    conf.set("mammoth.mpcache.include", "/warehouse, /logs/hot");
    conf.set("mammoth.mpcache.exclude", "/warehouse/tmp,/logs");
    conf.set("mammoth.mpcache.pin", "/warehouse/dim");
    PathRules rules = MpCacheKeys.rules(conf);
    assertThat(rules.cacheable(new DataSetId("/warehouse/a"))).isTrue();
    assertThat(rules.cacheable(new DataSetId("/warehouse/tmp/x"))).isFalse();
    assertThat(rules.cacheable(new DataSetId("/warehouse/tmpx"))).isTrue();
    assertThat(rules.cacheable(new DataSetId("/logs/cold"))).isFalse();
    assertThat(rules.cacheable(new DataSetId("/logs/hot/1"))).isTrue();
    assertThat(rules.cacheable(new DataSetId("/other"))).isFalse();
    assertThat(rules.pinned(new DataSetId("/warehouse/dim/d"))).isTrue();
    assertThat(rules.pinned(new DataSetId("/warehouse"))).isFalse();
    assertThat(PathRules.ALL.cacheable(new DataSetId("/"))).isTrue();
  }
}
