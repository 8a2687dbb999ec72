// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.ConfigKey.Tag;
import org.mammoth.config.names.KeyNames;

/** Keys of what administrators may have a node do. */
public final class AdminKeys {

  public static final ConfigKey<Long> PORT =
      ConfigKey.ofLong(
          KeyNames.ENGINE_ADMIN_PORT,
          0,
          0,
          65_535,
          "",
          Scope.NODE,
          "Port on which a NodeManager takes orders about its engines (drain, recycle, switch off and"
              + " on), on the interface of yarn.nodemanager.bind-host. 0 takes a free one; the"
              + " console finds it at the NodeManager's /jmx either way.");

  public static final ConfigKey<String> ACL =
      ConfigKey.ofString(
              "mammoth.engine.acl.admin",
              "",
              Scope.NODE,
              "Users and groups who may give such orders, beside the NodeManager's own user: users, a"
                  + " blank, groups; '*' is everyone. Nobody by default.")
          .tagged(Tag.SECURITY);

  private AdminKeys() {}
}
