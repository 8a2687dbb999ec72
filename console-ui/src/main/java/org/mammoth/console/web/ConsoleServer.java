// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import javax.servlet.DispatcherType;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.hadoop.security.UserGroupInformation;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.gzip.GzipHandler;
import org.eclipse.jetty.servlet.DefaultServlet;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.resource.Resource;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.mammoth.console.alert.Alerts;
import org.mammoth.console.alert.EventLog;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.order.CacheOrders;
import org.mammoth.console.order.NodeOrders;
import org.mammoth.console.order.RollingRecycle;
import org.mammoth.console.read.ClusterWatch;
import org.mammoth.console.read.JobReader;
import org.mammoth.console.store.DecisionStore;
import org.mammoth.console.store.History;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP side: page, interface, stream, metrics, behind Hadoop's authentication. */
public final class ConsoleServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ConsoleServer.class);
  private static final String PREFIX = "hadoop.http.authentication.";

  private final Configuration conf;
  private final Server server;
  private static final int SEND_BUFFER_BYTES = 128 << 10;

  private final QueuedThreadPool threads;
  private final ServerConnector connector;
  private final AuditLog audit;
  private final Path login;
  private final Sessions sessions;
  private final AccessControl access;
  private final List<Route> routes = new ArrayList<>();
  private final String basePath;
  private final boolean tls;

  /** What the server shows. */
  public record Parts(
      Recorder recorder,
      ClusterWatch watch,
      History history,
      DecisionStore decisions,
      Alerts alerts,
      EventLog events,
      Clock clock,
      String version,
      JobParts jobs) {}

  /**
   * @throws IllegalArgumentException if the console would be open to everyone
   */
  public ConsoleServer(Configuration conf, Parts parts, Path auditLog) throws IOException {
    AccessControl.checkBinding(conf);
    this.conf = conf;
    this.audit = new AuditLog(auditLog, parts.clock());
    this.tls = !ConsoleKeys.KEYSTORE.get(conf).isEmpty();
    this.basePath = "/" + ConsoleKeys.BASE_PATH.get(conf).replaceAll("^/+|/+$", "");
    this.login = auditLog.resolveSibling("login-url");
    this.sessions =
        Authentication.claimsSuffice(conf)
            ? new Sessions(login, UserGroupInformation.getLoginUser().getShortUserName())
            : null;
    this.access = new AccessControl(conf, login);
    this.threads = new QueuedThreadPool(32, 4);
    threads.setName("console-http");
    this.server = new Server(threads);
    this.connector = connector();
    server.addConnector(connector);
    server.setErrorHandler(new Errors());
    Gate gate = new Gate(new HostNames(conf));
    gate.setHandler(handler(parts));
    server.setHandler(gate);
  }

  private ServerConnector connector() throws IOException {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(64 << 10);
    http.setRelativeRedirectAllowed(true);
    // A body is refused when it is announced, not when it has come.
    http.setDelayDispatchUntilContent(false);
    ServerConnector made;
    if (tls) {
      http.addCustomizer(new SecureRequestCustomizer());
      SslContextFactory.Server ssl = new SslContextFactory.Server();
      ssl.setKeyStorePath(ConsoleKeys.KEYSTORE.get(conf));
      ssl.setKeyStoreType(ConsoleKeys.KEYSTORE_TYPE.get(conf));
      char[] password = conf.getPassword(ConsoleKeys.KEYSTORE_PASSWORD.name());
      ssl.setKeyStorePassword(password == null ? "" : new String(password));
      made =
          new ServerConnector(
              server,
              1,
              1,
              new SslConnectionFactory(ssl, HttpVersion.HTTP_1_1.asString()),
              new HttpConnectionFactory(http));
    } else {
      made = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    }
    made.setHost(ConsoleKeys.BIND_HOST.get(conf));
    made.setPort(ConsoleKeys.PORT.get(conf).intValue());
    made.setIdleTimeout(30_000);
    // Else the kernel keeps megabytes of the past for each stream that nobody reads.
    made.setAcceptedSendBufferSize(SEND_BUFFER_BYTES);
    return made;
  }

  private GzipHandler handler(Parts parts) {
    ClusterRoutes cluster =
        new ClusterRoutes(
            parts.recorder(),
            parts.history(),
            parts.watch().addresses(),
            parts.watch()::activeResourceManager,
            parts.clock(),
            parts.version(),
            access);
    StreamHub hub =
        new StreamHub(
            cluster,
            new Shares(
                ConsoleKeys.STREAM_CLIENTS.get(conf).intValue(),
                ConsoleKeys.STREAM_CLIENTS_EACH.get(conf).intValue()));
    parts.recorder().listen(hub::publish);
    routes.addAll(cluster.routes());
    routes.addAll(
        new HistoryRoutes(
                parts.recorder(),
                parts.history(),
                parts.decisions(),
                parts.jobs().archive(),
                parts.clock())
            .routes());
    routes.addAll(new HealthRoutes(parts.watch().masterReader(), parts.clock()).routes());
    JobPasts pasts = new JobPasts(parts.history(), parts.clock());
    routes.addAll(jobs(parts, pasts));
    NodeOrders orders = new NodeOrders(conf, parts.watch().http());
    CacheOrders caches = new CacheOrders(conf);
    DaemonRoutes daemons = new DaemonRoutes(parts.recorder(), parts.watch().http(), conf);
    routes.addAll(daemons.routes());
    routes.addAll(new CacheRoutes(parts.recorder(), caches, parts.clock()).routes());
    routes.addAll(new ActionRoutes(parts.recorder(), orders, caches).routes());
    routes.addAll(new ProfileRoutes(parts.recorder(), orders).routes());
    RollingRecycle rolling =
        new RollingRecycle((node, user) -> orders.recycle(node, user, ""), threads);
    parts.recorder().listen(rolling::see);
    routes.addAll(new FleetRoutes(parts.recorder(), parts.watch().http(), conf, rolling).routes());
    routes.addAll(new BundleRoutes(parts, cluster, daemons, orders).routes());
    routes.addAll(new AlertRoutes(parts.alerts()).routes());
    routes.addAll(new EventRoutes(parts.recorder(), parts.events()).routes());
    routes.replaceAll(new ActionEvents(parts.events())::noted);
    routes.add(
        new Route(
            "GET",
            "/openapi.json",
            Route.Right.ANYONE,
            "This document",
            List.of(),
            null,
            call -> OpenApi.of(routes, parts.version())));
    routes.add(
        new Route(
            "GET",
            "/stream",
            Route.Right.ANYONE,
            "Server-sent events: snapshot, then once a second change",
            List.of(),
            null,
            call -> {
              throw new ApiException(500, "served by the stream's own servlet");
            }));

    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath(basePath);
    context.setErrorHandler(new Errors());
    context.addFilter(
        new FilterHolder(new SecurityHeaders(tls)), "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addFilter(authentication(), "/*", EnumSet.of(DispatcherType.REQUEST));
    ServletHolder stream = new ServletHolder(new StreamServlet(hub, access));
    stream.setAsyncSupported(true);
    context.addServlet(stream, "/api/v1/stream");
    context.addServlet(new ServletHolder(new ApiServlet(routes, access, audit)), "/api/v1/*");
    MetricsServlet metrics =
        new MetricsServlet(parts.recorder(), parts.history(), hub, parts.alerts(), parts.clock());
    context.addServlet(new ServletHolder(metrics), "/metrics");
    page(context);
    GzipHandler gzip = new GzipHandler();
    gzip.addExcludedMimeTypes("text/event-stream");
    gzip.setHandler(context);
    return gzip;
  }

  /** The first that matches answers: those with a name of their own stand before /jobs/{job}. */
  private List<Route> jobs(Parts parts, JobPasts pasts) {
    JobParts jobs = parts.jobs();
    JobReader reader = parts.watch().jobReader();
    JobFinder finder = new JobFinder(jobs.archive(), jobs.days());
    List<Route> list = new ArrayList<>();
    list.addAll(new JobListRoutes(parts.recorder(), finder, jobs, pasts, parts.clock()).routes());
    list.addAll(new CompareRoutes(parts.recorder(), finder, reader).routes());
    list.addAll(new FailureRoutes(parts.recorder(), finder, reader, jobs, conf).routes());
    list.addAll(
        new LogSearchRoutes(parts.recorder(), finder, reader, jobs, conf, parts.clock()).routes());
    list.addAll(new SavedRoutes(jobs, parts.clock()).routes());
    list.addAll(new JobRoutes(parts.recorder(), reader, jobs, pasts, finder).routes());
    return list;
  }

  private FilterHolder authentication() {
    Map<String, String> settings = AuthenticationFilterInitializer.getFilterConfigMap(conf, PREFIX);
    conf.getPropsWithPrefix("hadoop.proxyuser")
        .forEach((name, value) -> settings.put("proxyuser" + name, value));
    FilterHolder holder = new FilterHolder(new Authentication(sessions, audit, tls));
    holder.setInitParameters(settings);
    holder.setAsyncSupported(true);
    return holder;
  }

  private static void page(ServletContextHandler context) {
    URL index = ConsoleServer.class.getResource("/org/mammoth/console/page/index.html");
    if (index == null) {
      throw new IllegalStateException("the console's jar has no page; build console-ui whole");
    }
    try {
      context.setBaseResource(Resource.newResource(index.toString().replace("index.html", "")));
    } catch (IOException e) {
      throw new IllegalStateException("the console's page cannot be read", e);
    }
    context.setWelcomeFiles(new String[] {"index.html"});
    context.addServlet(files("public, max-age=31536000, immutable"), "/assets/*");
    context.addServlet(files("no-cache"), "/");
  }

  private static ServletHolder files(String caching) {
    ServletHolder holder = new ServletHolder(DefaultServlet.class);
    holder.setInitParameter("dirAllowed", "false");
    holder.setInitParameter("etags", "true");
    holder.setInitParameter("cacheControl", caching);
    return holder;
  }

  /** Begins to listen. */
  public void start() throws Exception {
    server.start();
    if (sessions != null) {
      sessions.begin(address(), port());
      LOG.info(
          "Administrators open the console, once, with the address in {}; the next one is then there",
          sessions.file());
    }
  }

  /**
   * Where an administrator's session begins: with a token for once where names are only claimed,
   * else as {@link #address}.
   */
  public String loginAddress() {
    return sessions == null ? address() : sessions.url();
  }

  /** Where the present {@link #loginAddress} is found. */
  public Path loginFile() {
    return login;
  }

  /** Where the page is. */
  public String address() {
    String host = ConsoleKeys.BIND_HOST.get(conf);
    String shown =
        host.equals("127.0.0.1") ? "localhost" : host.contains(":") ? "[" + host + "]" : host;
    String path = basePath.equals("/") ? "/" : basePath + "/";
    return (tls ? "https://" : "http://") + shown + ":" + connector.getLocalPort() + path;
  }

  /** Ports are taken when asked for one that is 0. */
  public int port() {
    return connector.getLocalPort();
  }

  List<Route> routes() {
    return routes;
  }

  @Override
  public void close() throws Exception {
    server.stop();
    audit.close();
  }
}
