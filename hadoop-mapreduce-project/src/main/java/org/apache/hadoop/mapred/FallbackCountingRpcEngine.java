// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.ProtocolProxy;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.ipc.WritableRpcEngine;
import org.apache.hadoop.security.UserGroupInformation;
import org.mammoth.mapreduce.MammothCounter;

/**
 * The umbilical of a task that fell back to an ordinary container: upstream's, with one counter
 * added to every status it sends. Chosen by {@link OrdinaryContainerChild}.
 */
public final class FallbackCountingRpcEngine extends WritableRpcEngine {

  @Override
  public <T> ProtocolProxy<T> getProxy(
      Class<T> protocol,
      long clientVersion,
      InetSocketAddress address,
      UserGroupInformation ticket,
      Configuration conf,
      SocketFactory factory,
      int rpcTimeout,
      RetryPolicy retries,
      AtomicBoolean fallbackToSimpleAuth,
      AlignmentContext alignment)
      throws IOException {
    T umbilical =
        super.getProxy(
                protocol,
                clientVersion,
                address,
                ticket,
                conf,
                factory,
                rpcTimeout,
                retries,
                fallbackToSimpleAuth,
                alignment)
            .getProxy();
    RpcInvocationHandler upstream = (RpcInvocationHandler) Proxy.getInvocationHandler(umbilical);
    Object counting =
        Proxy.newProxyInstance(
            protocol.getClassLoader(), new Class<?>[] {protocol}, new Counting(upstream));
    return new ProtocolProxy<>(protocol, protocol.cast(counting), true);
  }

  private record Counting(RpcInvocationHandler upstream)
      implements InvocationHandler, RpcInvocationHandler {

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
      try {
        return upstream.invoke(proxy, method, reported(args));
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    private static Object[] reported(Object[] args) {
      return args == null ? null : Arrays.stream(args).map(Counting::reported).toArray();
    }

    private static Object reported(Object argument) {
      return argument instanceof TaskStatus status
          ? ReportedStatus.with(status, Map.of(MammothCounter.ENGINE_FALLBACKS, 1L))
          : argument;
    }

    @Override
    public Client.ConnectionId getConnectionId() {
      return upstream.getConnectionId();
    }

    @Override
    public void close() throws IOException {
      upstream.close();
    }
  }
}
