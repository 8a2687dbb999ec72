// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.processes;

import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * As which system user the processes of a YARN user run under the LinuxContainerExecutor, by the
 * keys that it reads itself; its own answer is not to be had outside of its package. Immutable.
 */
final class LocalUsers {

  private final boolean secure;
  private final Optional<String> everybody;
  private final Pattern names;

  LocalUsers(Configuration conf) {
    secure = UserGroupInformation.isSecurityEnabled();
    boolean limited =
        conf.getBoolean(
            YarnConfiguration.NM_NONSECURE_MODE_LIMIT_USERS,
            YarnConfiguration.DEFAULT_NM_NONSECURE_MODE_LIMIT_USERS);
    everybody =
        secure || !limited
            ? Optional.empty()
            : Optional.of(
                conf.get(
                    YarnConfiguration.NM_NONSECURE_MODE_LOCAL_USER_KEY,
                    YarnConfiguration.DEFAULT_NM_NONSECURE_MODE_LOCAL_USER));
    names =
        Pattern.compile(
            conf.get(
                YarnConfiguration.NM_NONSECURE_MODE_USER_PATTERN_KEY,
                YarnConfiguration.DEFAULT_NM_NONSECURE_MODE_USER_PATTERN));
  }

  /**
   * The system user that a YARN user's processes belong to.
   *
   * @throws IllegalArgumentException if the name is none that upstream would run anything for
   */
  String of(String user) {
    if (!secure && !names.matcher(user).matches()) {
      throw new IllegalArgumentException(
          "the user name "
              + user
              + " does not match "
              + YarnConfiguration.NM_NONSECURE_MODE_USER_PATTERN_KEY);
    }
    return everybody.orElse(user);
  }
}
