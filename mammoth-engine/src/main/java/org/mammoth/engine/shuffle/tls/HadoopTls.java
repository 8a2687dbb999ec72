// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.tls;

import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.security.GeneralSecurityException;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLEngine;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.ShuffleException;

/**
 * One side's TLS with what stock's encrypted shuffle takes: {@code ssl-server.xml} or {@code
 * ssl-client.xml}, and the keys {@code hadoop.ssl.*}. Hadoop's own factory reads the stores, takes
 * passwords from credential providers, and reads stores again that have changed; a new connection
 * sees what is in them then. No session is taken up again, so that each connection is judged anew.
 * Any thread.
 */
public final class HadoopTls implements TlsLayer, ConnectionConfigurator, Closeable {

  private final SSLFactory factory;

  /** Null on the server's side. */
  private final HostnameVerifier names;

  private HadoopTls(SSLFactory factory, HostnameVerifier names) {
    this.factory = factory;
    this.names = names;
  }

  /**
   * What a server shows, and asks of clients if {@code hadoop.ssl.require.client.cert} is set.
   *
   * @throws ShuffleException with {@link Reason#TLS} if it cannot be made, with the file and the
   *     key that stand against it
   */
  public static HadoopTls ofServer(Configuration conf) throws ShuffleException {
    return new HadoopTls(factory(SSLFactory.Mode.SERVER, conf), null);
  }

  /**
   * Which servers a client trusts, and what it shows them if they ask.
   *
   * @throws ShuffleException as {@link #ofServer} does
   */
  public static HadoopTls ofClient(Configuration conf) throws ShuffleException {
    SSLFactory factory = factory(SSLFactory.Mode.CLIENT, conf);
    return new HadoopTls(factory, new PeerNames(factory.getHostnameVerifier()));
  }

  private static SSLFactory factory(SSLFactory.Mode mode, Configuration conf)
      throws ShuffleException {
    SSLFactory factory = null;
    try {
      factory = new SSLFactory(mode, conf);
      factory.init();
      // Protocols and cipher suites are not looked at before.
      factory.createSSLEngine();
      return factory;
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      if (factory != null) {
        factory.destroy();
      }
      throw new ShuffleException(Reason.TLS, new TlsFault(mode, conf).describe(e), e);
    }
  }

  @Override
  public void addTo(SocketChannel channel, String host) {
    SSLEngine engine = engine();
    channel.pipeline().addLast(new SslHandler(engine));
    if (names != null) {
      channel.pipeline().addLast(new PeerNameCheck(host, engine, names));
    }
  }

  private SSLEngine engine() {
    try {
      return factory.createSSLEngine();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("one could be made before", e);
    }
  }

  /** Gives a connection to stock's shuffle the same keys; client's side only. */
  @Override
  public HttpURLConnection configure(HttpURLConnection connection) throws IOException {
    return factory.configure(connection);
  }

  /** Ends the thread that looks after changed stores. Connections stay. */
  @Override
  public void close() {
    factory.destroy();
  }
}
