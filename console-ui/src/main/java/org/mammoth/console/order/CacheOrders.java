// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.mammoth.api.status.CacheAnswers;
import org.mammoth.api.status.CacheDataSets;
import org.mammoth.api.status.CacheTrace;
import org.mammoth.api.status.StatusJson;
import org.mammoth.hdfs.rpc.AdminProtocol;
import org.mammoth.mpcache.config.MpCacheKeys;

/** What the active master of the SSD cache is asked and ordered. Any thread; calls wait. */
public final class CacheOrders {

  private static final int TIMEOUT_MS = 30_000;

  private final Rpc rpc;
  private final List<InetSocketAddress> masters;
  private final StatusJson status = new StatusJson();

  /** Asks the masters of this configuration; see {@link CacheMasters}. */
  public CacheOrders(Configuration conf) {
    this.rpc = new Rpc(conf);
    this.masters = CacheMasters.of(conf);
  }

  /** Cached data sets that this user may read. */
  public CacheDataSets dataSets(String user) throws OrderException {
    return ask(user, CacheDataSets.class, AdminProtocol::dataSets);
  }

  /** The last rounds, of data sets that this user may read. */
  public CacheTrace trace(String user) throws OrderException {
    return ask(user, CacheTrace.class, AdminProtocol::trace);
  }

  /** Takes what is at and below a path out of the cache. */
  public CacheAnswers.Evicted evict(String user, String path) throws OrderException {
    return ask(user, CacheAnswers.Evicted.class, master -> master.evict(path));
  }

  /** Has files at and below a path cached. */
  public CacheAnswers.Warmed warm(String user, String path) throws OrderException {
    return ask(user, CacheAnswers.Warmed.class, master -> master.warm(path));
  }

  /** Pins what is at and below a path, or no longer. */
  public CacheAnswers.Pinned pin(String user, String path, boolean on) throws OrderException {
    return ask(user, CacheAnswers.Pinned.class, master -> master.pin(path, on));
  }

  private <T> T ask(String user, Class<T> answer, Rpc.Question<AdminProtocol> question)
      throws OrderException {
    StringBuilder silent = new StringBuilder();
    for (InetSocketAddress address : masters) {
      String who = "the cache's master at " + address.getHostString() + ":" + address.getPort();
      try {
        return status.read(
            rpc.ask(AdminProtocol.class, address, TIMEOUT_MS, user, question), answer);
      } catch (RemoteException e) {
        if (!StandbyException.class.getName().equals(e.getClassName())) {
          throw OrderException.of(e, who, name(rpc));
        }
        silent.append(' ').append(who).append(" is on standby;");
      } catch (IOException e) {
        silent.append(' ').append(OrderException.of(e, who, name(rpc)).getMessage()).append(';');
      }
    }
    throw new OrderException(
        502,
        "no master of the SSD cache answers ("
            + MpCacheKeys.ENABLED
            + " and "
            + MpCacheKeys.MASTER_PORT
            + " of the NameNodes):"
            + silent);
  }

  static String name(Rpc rpc) {
    try {
      return rpc.self().getShortUserName();
    } catch (IOException e) {
      return "USER";
    }
  }
}
