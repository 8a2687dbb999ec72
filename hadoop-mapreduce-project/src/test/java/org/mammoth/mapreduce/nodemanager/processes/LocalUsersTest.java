// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class LocalUsersTest {

  private final Configuration conf = new Configuration(false);

  @Test
  void withoutKerberosAllAreOneUserUnlessTheAdministratorSaysOtherwise() {
    assertThat(new LocalUsers(conf).of("alice")).isEqualTo("nobody");
    conf.set(YarnConfiguration.NM_NONSECURE_MODE_LOCAL_USER_KEY, "guest");
    assertThat(new LocalUsers(conf).of("alice")).isEqualTo("guest");
    conf.setBoolean(YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS, false);
    assertThat(new LocalUsers(conf).of("alice")).isEqualTo("alice");
  }

  @Test
  void aNameThatUpstreamRefusesIsRefused() {
    conf.setBoolean(YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS, false);
    LocalUsers users = new LocalUsers(conf);
    for (String name : new String[] {"../bob", "a b", "alice;id", "", "-x"}) {
      assertThatThrownBy(() -> users.of(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
