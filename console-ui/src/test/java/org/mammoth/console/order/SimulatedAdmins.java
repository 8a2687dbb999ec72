// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.mammoth.hdfs.rpc.AdminProtocol;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;

/**
 * NodeManager and NameNode as they take orders, over Hadoop's real RPC: they judge whom they hear
 * of by rules of their own, as the daemons do.
 */
public final class SimulatedAdmins implements AutoCloseable {

  /** Whom the daemons let do what administrators may; others may look. */
  private final Set<String> admins = ConcurrentHashMap.newKeySet();

  private final List<String> orders = new CopyOnWriteArrayList<>();
  private final Set<String> pinned = ConcurrentHashMap.newKeySet();
  private final RPC.Server nodes;
  private final RPC.Server master;

  public SimulatedAdmins() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("hadoop.security.authentication", "simple");
    nodes = serve(conf, NodeAdminProtocol.class, new Node());
    master = serve(conf, AdminProtocol.class, new Master());
    actFor("*");
  }

  private static <P> RPC.Server serve(Configuration conf, Class<P> protocol, P instance)
      throws IOException {
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(protocol)
            .setInstance(instance)
            .setBindAddress("0.0.0.0")
            .setPort(0)
            .setNumHandlers(2)
            .build();
    server.start();
    return server;
  }

  /** Lets this process act for these users, as hadoop.proxyuser.* would. */
  public void actFor(String users) throws IOException {
    String self = UserGroupInformation.getLoginUser().getShortUserName();
    Configuration conf = new Configuration(false);
    conf.set("hadoop.proxyuser." + self + ".users", users);
    conf.set("hadoop.proxyuser." + self + ".hosts", "*");
    ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
  }

  public void admin(String user) {
    admins.add(user);
  }

  public int nodePort() {
    return nodes.getListenerAddress().getPort();
  }

  public int masterPort() {
    return master.getListenerAddress().getPort();
  }

  /** What was carried out: user, order, subject. */
  public List<String> orders() {
    return List.copyOf(orders);
  }

  /** As a NameNode that is gone. */
  public void stopMaster() {
    master.stop();
  }

  private static String caller() throws IOException {
    return Server.getRemoteUser().getShortUserName();
  }

  private void carryOut(String order) throws IOException {
    String user = caller();
    if (!admins.contains(user)) {
      throw new AccessControlException(user + " may not do this here");
    }
    orders.add(user + " " + order);
  }

  @Override
  public void close() throws IOException {
    nodes.stop();
    master.stop();
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration(false));
  }

  private final class Node implements NodeAdminProtocol {

    @Override
    public Text dropCached(String path) {
      throw new UnsupportedOperationException("no order of the console's");
    }

    @Override
    public Text profile(String engine, int seconds) throws IOException {
      carryOut("profile " + engine + " " + seconds);
      if (seconds > 0) {
        return new Text("{\"state\":\"running\",\"remainingMs\":" + 1000 * seconds + "}");
      }
      return new Text(SimulatedProfile.DONE);
    }

    @Override
    public Text drain(String engine) throws IOException {
      carryOut("drain " + engine);
      if (engine.equals("engine-gone")) {
        throw new InvalidRequestException("no open engine of this node is named " + engine);
      }
      return new Text("{\"engines\":[\"engine-alice-1\"]}");
    }

    @Override
    public Text recycle(String engine) throws IOException {
      carryOut("recycle " + engine);
      return new Text("{\"engines\":[\"engine-alice-1\",\"engine-bob-2\"]}");
    }

    @Override
    public Text turn(String key, boolean on) throws IOException {
      if (key.startsWith("mammoth.shuffle.")) {
        return new Text(
            "{\"key\":\"" + key + "\",\"reason\":\"" + key + " is read from each job\"}");
      }
      carryOut("turn " + key + " " + on);
      return new Text(
          "{\"engines\":[],\"key\":\"" + key + "\",\"on\":" + on + ",\"changed\":true}");
    }

    @Override
    public Text logs(int bytes) throws IOException {
      carryOut("logs " + bytes);
      return new Text(
          "{\"logs\":{\"mammoth-engine-alice-1.out\":\"started\\n\",\"../x\":\"outside\"}}");
    }
  }

  private final class Master implements AdminProtocol {

    @Override
    public Text report() {
      throw new UnsupportedOperationException("the console reads it over HTTP");
    }

    @Override
    public Text policy() {
      throw new UnsupportedOperationException("no question of the console's");
    }

    @Override
    public Text dataSets() throws IOException {
      StringBuilder sets = new StringBuilder();
      for (int i = 0; i < 6; i++) {
        // Who is no administrator may not read the first.
        if (i > 0 || admins.contains(caller())) {
          sets.append(sets.length() == 0 ? "" : ",");
          sets.append("{\"path\":\"/warehouse/part").append(i).append("\",\"blocks\":");
          sets.append(40 + 8 * i).append(",\"cachedBlocks\":").append(i < 4 ? 40 + 8 * i : 11);
          sets.append(",\"copyBytes\":").append((40L + 8 * i) << 27).append(",\"accesses\":");
          sets.append(90 - 11 * i).append(",\"pinned\":");
          sets.append(pinned.contains("/warehouse/part" + i));
          sets.append(",\"bytes\":").append((40L + 8 * i) << 27).append(",\"hits\":");
          sets.append(900 - 70 * i).append(",\"priority\":").append(7.5 - i);
          sets.append(",\"admission\":\"PROFITABLE\"");
          if (i >= 4) {
            sets.append(",\"departure\":{\"cause\":\"SPACE_TAKEN\"}");
          }
          sets.append('}');
        }
      }
      String absent =
          "{\"path\":\"/warehouse/old\",\"blocks\":12,\"bytes\":1610612736,\"accesses\":3,"
              + "\"admission\":\"FITS\",\"departure\":"
              + "{\"cause\":\"DISPLACED\",\"by\":\"/warehouse/part1\"}}";
      return new Text("{\"dataSets\":[" + sets + "],\"absent\":[" + absent + "]}");
    }

    @Override
    public Text trace() {
      StringBuilder rounds = new StringBuilder();
      // As many as a NameNode remembers.
      for (int i = 0; i < 2000; i++) {
        rounds.append(i == 0 ? "" : ",").append("{\"path\":\"/warehouse/part");
        rounds.append(i * i % 7).append("\",\"blocks\":").append(40 + 8 * (i * i % 7));
        rounds.append(",\"blockBytes\":134217728}");
      }
      return new Text("{\"rounds\":[" + rounds + "]}");
    }

    @Override
    public Text evict(String path) throws IOException {
      carryOut("evict " + path);
      return new Text("{\"path\":\"" + path + "\",\"copies\":40}");
    }

    @Override
    public Text warm(String path) throws IOException {
      carryOut("warm " + path);
      if (path.equals("/missing")) {
        throw new FileNotFoundException("/missing: no such file or directory");
      }
      return new Text("{\"blocks\":6,\"bytes\":768,\"blocksWithoutSlave\":1,\"more\":false}");
    }

    @Override
    public Text pin(String path, boolean on) throws IOException {
      carryOut("pin " + path + " " + on);
      if (on) {
        pinned.add(path);
      } else {
        pinned.remove(path);
      }
      return new Text("{\"path\":\"" + path + "\",\"sets\":1,\"pinned\":" + on + "}");
    }
  }
}
