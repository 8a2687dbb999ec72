// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/**
 * Who may use the master's port at all, where {@code hadoop.security.authorization} is on: keys of
 * hadoop-policy.xml.
 */
public final class MasterPolicyProvider extends PolicyProvider {

  /** Who may be a slave. */
  public static final String SLAVES = "security.mammoth.mpcache.slave.protocol.acl";

  /** Who may look, and, as an administrator, change. */
  public static final String USERS = "security.mammoth.mpcache.admin.protocol.acl";

  @Override
  public Service[] getServices() {
    return new Service[] {
      new Service(SLAVES, SlaveProtocol.class), new Service(USERS, AdminProtocol.class)
    };
  }
}
