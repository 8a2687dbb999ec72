// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.network;

import java.io.IOException;
import java.net.Authenticator;
import java.net.ContentHandlerFactory;
import java.net.CookieHandler;
import java.net.DatagramSocket;
import java.net.DatagramSocketImplFactory;
import java.net.FileNameMap;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImplFactory;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandlerFactory;
import java.rmi.server.RMIFailureHandler;
import java.rmi.server.RMISocketFactory;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of setting the JVM's defaults for connections, most of which
 * cannot be confined: the task goes on in a process of its own. Stateless, thread-safe.
 */
public final class NetworkCalls {
  private NetworkCalls() {}

  /** {@code URL.setURLStreamHandlerFactory}: of the task's own URLs. */
  @Replaces(URL.class)
  public static void setURLStreamHandlerFactory(URLStreamHandlerFactory factory) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null && UrlHandlers.set(process, factory)) {
      return;
    }
    ProcessNeed.because("URL.setURLStreamHandlerFactory");
    URL.setURLStreamHandlerFactory(factory);
  }

  /** {@code URLConnection.setContentHandlerFactory}. */
  @Replaces(URLConnection.class)
  public static void setContentHandlerFactory(ContentHandlerFactory factory) {
    ProcessNeed.because("URLConnection.setContentHandlerFactory");
    URLConnection.setContentHandlerFactory(factory);
  }

  /** {@code URLConnection.setFileNameMap}. */
  @Replaces(URLConnection.class)
  public static void setFileNameMap(FileNameMap map) {
    ProcessNeed.because("URLConnection.setFileNameMap");
    URLConnection.setFileNameMap(map);
  }

  /**
   * {@code URLConnection.getDefaultUseCaches}: what a JVM begins with. The engine has set it for
   * jars, as the JDK's cache of open jars is the JVM's.
   */
  @Replaces(URLConnection.class)
  public static boolean getDefaultUseCaches(String protocol) {
    return "jar".equals(protocol) && Owners.callerOrNull() != null
        || URLConnection.getDefaultUseCaches(protocol);
  }

  /** {@code URLConnection.setDefaultUseCaches}. */
  @Replaces(URLConnection.class)
  public static void setDefaultUseCaches(String protocol, boolean uses) {
    ProcessNeed.because("URLConnection.setDefaultUseCaches");
    URLConnection.setDefaultUseCaches(protocol, uses);
  }

  /** {@code URLConnection.setDefaultUseCaches}. */
  @Replaces(value = URLConnection.class, receiver = true)
  public static void setDefaultUseCaches(URLConnection self, boolean uses) {
    ProcessNeed.because("URLConnection.setDefaultUseCaches");
    self.setDefaultUseCaches(uses);
  }

  /** {@code URLConnection.setDefaultAllowUserInteraction}. */
  @Replaces(URLConnection.class)
  public static void setDefaultAllowUserInteraction(boolean allows) {
    ProcessNeed.because("URLConnection.setDefaultAllowUserInteraction");
    URLConnection.setDefaultAllowUserInteraction(allows);
  }

  /** {@code HttpURLConnection.setFollowRedirects}. */
  @Replaces(HttpURLConnection.class)
  public static void setFollowRedirects(boolean follows) {
    ProcessNeed.because("HttpURLConnection.setFollowRedirects");
    HttpURLConnection.setFollowRedirects(follows);
  }

  /** {@code Authenticator.setDefault}. */
  @Replaces(Authenticator.class)
  public static void setDefault(Authenticator authenticator) {
    ProcessNeed.because("Authenticator.setDefault");
    Authenticator.setDefault(authenticator);
  }

  /** {@code ProxySelector.setDefault}. */
  @Replaces(ProxySelector.class)
  public static void setDefault(ProxySelector selector) {
    ProcessNeed.because("ProxySelector.setDefault");
    ProxySelector.setDefault(selector);
  }

  /** {@code CookieHandler.setDefault}. */
  @Replaces(CookieHandler.class)
  public static void setDefault(CookieHandler handler) {
    ProcessNeed.because("CookieHandler.setDefault");
    CookieHandler.setDefault(handler);
  }

  /** {@code ResponseCache.setDefault}. */
  @Replaces(ResponseCache.class)
  public static void setDefault(ResponseCache cache) {
    ProcessNeed.because("ResponseCache.setDefault");
    ResponseCache.setDefault(cache);
  }

  /** {@code SSLContext.setDefault}. */
  @Replaces(SSLContext.class)
  public static void setDefault(SSLContext context) {
    ProcessNeed.because("SSLContext.setDefault");
    SSLContext.setDefault(context);
  }

  /** {@code HttpsURLConnection.setDefaultHostnameVerifier}. */
  @Replaces(HttpsURLConnection.class)
  public static void setDefaultHostnameVerifier(HostnameVerifier verifier) {
    ProcessNeed.because("HttpsURLConnection.setDefaultHostnameVerifier");
    HttpsURLConnection.setDefaultHostnameVerifier(verifier);
  }

  /** {@code HttpsURLConnection.setDefaultSSLSocketFactory}. */
  @Replaces(HttpsURLConnection.class)
  public static void setDefaultSSLSocketFactory(SSLSocketFactory factory) {
    ProcessNeed.because("HttpsURLConnection.setDefaultSSLSocketFactory");
    HttpsURLConnection.setDefaultSSLSocketFactory(factory);
  }

  /** {@code Socket.setSocketImplFactory}. */
  @Replaces(Socket.class)
  public static void setSocketImplFactory(SocketImplFactory factory) throws IOException {
    ProcessNeed.because("Socket.setSocketImplFactory");
    Socket.setSocketImplFactory(factory);
  }

  /** {@code ServerSocket.setSocketFactory}. */
  @Replaces(ServerSocket.class)
  public static void setSocketFactory(SocketImplFactory factory) throws IOException {
    ProcessNeed.because("ServerSocket.setSocketFactory");
    ServerSocket.setSocketFactory(factory);
  }

  /** {@code DatagramSocket.setDatagramSocketImplFactory}. */
  @Replaces(DatagramSocket.class)
  public static void setDatagramSocketImplFactory(DatagramSocketImplFactory factory)
      throws IOException {
    ProcessNeed.because("DatagramSocket.setDatagramSocketImplFactory");
    DatagramSocket.setDatagramSocketImplFactory(factory);
  }

  /** {@code RMISocketFactory.setSocketFactory}. */
  @Replaces(RMISocketFactory.class)
  public static void setSocketFactory(RMISocketFactory factory) throws IOException {
    ProcessNeed.because("RMISocketFactory.setSocketFactory");
    RMISocketFactory.setSocketFactory(factory);
  }

  /** {@code RMISocketFactory.setFailureHandler}. */
  @Replaces(RMISocketFactory.class)
  public static void setFailureHandler(RMIFailureHandler handler) {
    ProcessNeed.because("RMISocketFactory.setFailureHandler");
    RMISocketFactory.setFailureHandler(handler);
  }
}
