// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api;

/** Names of the beans that daemons of Mammoth have, and of the attributes others read. */
public final class Beans {

  /** What Hadoop calls {@link #ENGINES}. */
  public static final String ENGINES_NAME = "MammothEngines";

  /** Of a NodeManager: its engines in short, as it knows them without asking them. */
  public static final String ENGINES = "Hadoop:service=NodeManager,name=" + ENGINES_NAME;

  /** Of {@link #ENGINES}: JSON. */
  public static final String STATUS = "Status";

  /** Of a NodeManager: all that its engines know of themselves. */
  public static final String READINGS = "Mammoth:service=NodeManager,name=Engines";

  /** Of {@link #READINGS}: a {@link org.mammoth.api.status.NodeSnapshot}. */
  public static final String SNAPSHOT = "Snapshot";

  /** Of {@link #READINGS}: the {@link org.mammoth.api.status.NodeDecisions} it still has. */
  public static final String DECISIONS = "Decisions";

  /** Of {@link #READINGS}: the latest of them. */
  public static final String LATEST_DECISIONS = "LatestDecisions";

  /** Of {@link #READINGS}: where it takes {@code NodeAdminProtocol}; 0 if nowhere. */
  public static final String ADMIN_PORT = "AdminPort";

  /** What Hadoop calls the bean of a DataNode's SSD cache. */
  public static final String CACHE_SLAVE = "MpCacheSlave";

  /** What Hadoop calls the bean of the SSD cache's master in a NameNode. */
  public static final String CACHE_MASTER = "MpCacheMaster";

  private Beans() {}

  /** The page of a daemon that has one attribute of a bean. */
  public static String page(String bean, String attribute) {
    return "/jmx?get=" + bean + "::" + attribute;
  }

  /** The page of a daemon that has a whole bean, by Hadoop's naming; empty if it has no such. */
  public static String wholePage(String service, String name) {
    return "/jmx?qry=Hadoop:service=" + service + ",name=" + name;
  }
}
