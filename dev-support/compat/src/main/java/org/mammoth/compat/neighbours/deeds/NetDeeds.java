// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.rmi.server.RMISocketFactory;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that change defaults of the network classes. */
public final class NetDeeds {
  private NetDeeds() {}

  @Hostile(value = "follows no redirects", about = "jdk-setter", mayNeedProcess = true)
  static final class Redirects implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      HttpURLConnection.setFollowRedirects(false);
      return String.valueOf(HttpURLConnection.getFollowRedirects());
    }
  }

  @Hostile(
      value = "switches caches of URL connections off",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class UrlCaches implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      new URL("file:/").openConnection().setDefaultUseCaches(false);
      URLConnection.setDefaultUseCaches("file", false);
      return new URL("file:/").openConnection().getDefaultUseCaches()
          + " "
          + URLConnection.getDefaultUseCaches("file");
    }
  }

  @Hostile(value = "lets URL connections ask the user", about = "jdk-setter", mayNeedProcess = true)
  static final class Interaction implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      URLConnection.setDefaultAllowUserInteraction(true);
      return String.valueOf(URLConnection.getDefaultAllowUserInteraction());
    }
  }

  @Hostile(value = "sets the map of content types", about = "jdk-setter", mayNeedProcess = true)
  static final class FileNameMap implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      URLConnection.setFileNameMap(name -> MARK);
      return URLConnection.getFileNameMap().getContentTypeFor("x");
    }
  }

  @Hostile(
      value = "sets the factory of content handlers",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class ContentHandlers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      URLConnection.setContentHandlerFactory(type -> null);
      return "set";
    }
  }

  @Hostile(
      value = "sets the factory of URL handlers, as jobs with hdfs: URLs do",
      about = "jdk-setter")
  static final class UrlHandlers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      URL.setURLStreamHandlerFactory(
          new org.apache.hadoop.fs.FsUrlStreamHandlerFactory(context.getConfiguration()));
      return new URL("hdfs://localhost/x").getProtocol();
    }
  }

  @Hostile(value = "sets the default authenticator", about = "jdk-setter", mayNeedProcess = true)
  static final class DefaultAuthenticator implements Deed {
    private static final class Own extends Authenticator {}

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Authenticator.setDefault(new Own());
      return String.valueOf(Authenticator.getDefault() instanceof Own);
    }
  }

  @Hostile(value = "sets the default proxy selector", about = "jdk-setter", mayNeedProcess = true)
  static final class DefaultProxies implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ProxySelector.setDefault(ProxySelector.of(new InetSocketAddress("192.0.2.1", 3128)));
      return ProxySelector.getDefault().select(new URI("http://example.org/")).toString();
    }
  }

  @Hostile(value = "sets the default cookie handler", about = "jdk-setter", mayNeedProcess = true)
  static final class Cookies implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      CookieHandler.setDefault(new CookieManager());
      return CookieHandler.getDefault().getClass().getName();
    }
  }

  @Hostile(value = "sets the default response cache", about = "jdk-setter", mayNeedProcess = true)
  static final class Responses implements Deed {
    private static final class Cache extends ResponseCache {
      @Override
      public java.net.CacheResponse get(
          URI uri, String method, java.util.Map<String, java.util.List<String>> headers) {
        return null;
      }

      @Override
      public java.net.CacheRequest put(URI uri, URLConnection connection) {
        return null;
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ResponseCache.setDefault(new Cache());
      return ResponseCache.getDefault().getClass().getSimpleName();
    }
  }

  @Hostile(value = "sets the default SSL context", about = "jdk-setter", mayNeedProcess = true)
  static final class DefaultSslContext implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      SSLContext own = SSLContext.getInstance("TLSv1.2");
      own.init(null, null, null);
      SSLContext.setDefault(own);
      return SSLContext.getDefault().getProtocol();
    }
  }

  @Hostile(value = "believes every host name", about = "jdk-setter", mayNeedProcess = true)
  static final class Verifier implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);
      return String.valueOf(HttpsURLConnection.getDefaultHostnameVerifier().verify(MARK, null));
    }
  }

  @Hostile(
      value = "sets the default SSL socket factory",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class SslSockets implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      SSLContext own = SSLContext.getInstance("TLSv1.2");
      own.init(null, null, null);
      HttpsURLConnection.setDefaultSSLSocketFactory(own.getSocketFactory());
      return String.valueOf(
          HttpsURLConnection.getDefaultSSLSocketFactory() == own.getSocketFactory());
    }
  }

  @Hostile(value = "sets RMI's socket factory", about = "jdk-setter", mayNeedProcess = true)
  static final class RmiSockets implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      RMISocketFactory.setSocketFactory(RMISocketFactory.getDefaultSocketFactory());
      return String.valueOf(RMISocketFactory.getSocketFactory() != null);
    }
  }

  @Hostile(value = "sets RMI's handler of failures", about = "jdk-setter", mayNeedProcess = true)
  static final class RmiFailures implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      RMISocketFactory.setFailureHandler(failure -> true);
      return String.valueOf(RMISocketFactory.getFailureHandler() != null);
    }
  }

  @Hostile(value = "sets the factory of all sockets", about = "jdk-setter", mayNeedProcess = true)
  static final class Sockets implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.net.Socket.setSocketImplFactory(
          () -> {
            throw new IllegalStateException(MARK);
          });
      try {
        new java.net.Socket();
        return "a socket";
      } catch (IllegalStateException e) {
        return e.getMessage();
      }
    }
  }

  @Hostile(value = "leaves a server socket open", about = "left-open")
  static final class OpenServer implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return String.valueOf(new java.net.ServerSocket(0).isBound());
    }
  }
}
