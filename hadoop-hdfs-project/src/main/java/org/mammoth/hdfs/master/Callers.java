// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;

/**
 * Who calls, and what he may. An administrator is who is one of HDFS: the NameNode's own user,
 * members of {@code dfs.permissions.superusergroup} and of {@code dfs.cluster.administrators}.
 *
 * <p>For handler threads of the master's server.
 */
final class Callers {

  private final NameNode nameNode;
  private final Configuration conf;
  private final String owner;
  private final String superGroup;
  private final AccessControlList administrators;

  Callers(NameNode nameNode, Configuration conf) throws IOException {
    this.nameNode = nameNode;
    this.conf = conf;
    owner = UserGroupInformation.getLoginUser().getShortUserName();
    superGroup =
        conf.get(
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
    administrators = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
  }

  private static UserGroupInformation caller() throws IOException {
    UserGroupInformation remote = Server.getRemoteUser();
    return remote == null ? UserGroupInformation.getCurrentUser() : remote;
  }

  /** Lets DataNodes through: administrators, or the DataNodes' principal on the calling host. */
  void checkSlave() throws IOException {
    UserGroupInformation caller = caller();
    if (isAdministrator(caller)) {
      return;
    }
    String principal = conf.get(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, "");
    InetAddress host = Server.getRemoteIp();
    if (UserGroupInformation.isSecurityEnabled()
        && !principal.isEmpty()
        && host != null
        && SecurityUtil.getServerPrincipal(principal, host).equals(caller.getUserName())) {
      return;
    }
    throw new AccessControlException(
        caller.getUserName()
            + " is no DataNode of this cluster: neither an administrator of HDFS nor "
            + DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY);
  }

  /** Lets administrators through. */
  void checkAdministrator(String operation) throws IOException {
    UserGroupInformation caller = caller();
    if (!isAdministrator(caller)) {
      throw new AccessControlException(
          caller.getUserName()
              + " may not "
              + operation
              + ": only administrators of HDFS may ("
              + DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY
              + ", "
              + DFSConfigKeys.DFS_ADMIN
              + ")");
    }
  }

  boolean isAdministrator() throws IOException {
    return isAdministrator(caller());
  }

  private boolean isAdministrator(UserGroupInformation caller) {
    return caller.getShortUserName().equals(owner)
        || List.of(caller.getGroupNames()).contains(superGroup)
        || administrators.isUserAllowed(caller);
  }

  /** Whether the caller may list a directory or read a file; false also when it is gone. */
  boolean mayRead(String path) throws IOException {
    try {
      HdfsFileStatus status = nameNode.getRpcServer().getFileInfo(path);
      if (status == null) {
        return false;
      }
      nameNode
          .getRpcServer()
          .checkAccess(path, status.isDirectory() ? FsAction.READ_EXECUTE : FsAction.READ);
      return true;
    } catch (AccessControlException | FileNotFoundException e) {
      return false;
    }
  }
}
