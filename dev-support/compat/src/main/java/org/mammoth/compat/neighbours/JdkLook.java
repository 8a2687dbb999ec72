// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.beans.Beans;
import java.beans.Introspector;
import java.beans.PropertyEditorManager;
import java.io.ObjectInputFilter;
import java.lang.management.ManagementFactory;
import java.security.Provider;
import java.security.Security;
import java.sql.Driver;
import java.sql.DriverManager;
import java.text.NumberFormat;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.management.MBeanServerFactory;
import javax.naming.spi.NamingManager;
import javax.net.ssl.SSLContext;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.transform.TransformerFactory;

/** Settings of the JDK that hold for a whole JVM, network apart. */
final class JdkLook {
  /**
   * The collector's and Hadoop's own, which follow from the JVM's options and from what its main
   * class is.
   */
  private static final Pattern OF_THE_JVM =
      Pattern.compile(
          "(java\\.(lang|nio)|jdk\\.management.*?|com\\.sun\\.management):"
              + "|Hadoop:service=(Engine|MammothEngine|MapTask|ReduceTask),");

  private JdkLook() {}

  static void look(Report report) {
    report.tell("locale", Locale::getDefault);
    report.tell("locale.display", () -> Locale.getDefault(Locale.Category.DISPLAY));
    report.tell("locale.format", () -> Locale.getDefault(Locale.Category.FORMAT));
    report.tell("locale.number", () -> NumberFormat.getInstance().format(1234.5));
    report.tell("locale.printf", () -> String.format("%,.2f", 1234.5));
    report.tell("timezone", () -> TimeZone.getDefault().getID() + " " + ZoneId.systemDefault());
    report.tell("timezone.date", () -> new Date(0).toString());
    report.tell(
        "security.providers",
        () -> Arrays.stream(Security.getProviders()).map(Provider::getName).toList());
    report.tell("security.first", () -> Security.getProviders()[0].getName());
    for (String name :
        new String[] {"networkaddress.cache.ttl", "jdk.tls.disabledAlgorithms", Deed.MARK}) {
      report.tell("security." + name, () -> Security.getProperty(name));
    }
    report.tell(
        "mbeans",
        () ->
            ManagementFactory.getPlatformMBeanServer().queryNames(null, null).stream()
                .map(String::valueOf)
                .filter(name -> !OF_THE_JVM.matcher(name).lookingAt())
                .toList());
    report.tell("mbean-servers", () -> MBeanServerFactory.findMBeanServer(null).size());
    report.tell("memory.verbose", () -> ManagementFactory.getMemoryMXBean().isVerbose());
    report.tell(
        "memory.thresholds",
        () ->
            ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.isUsageThresholdSupported())
                .mapToLong(pool -> pool.getUsageThreshold())
                .sum());
    report.tell(
        "threads.contention",
        () -> ManagementFactory.getThreadMXBean().isThreadContentionMonitoringEnabled());
    report.tell("threads.cpu", () -> ManagementFactory.getThreadMXBean().isThreadCpuTimeEnabled());
    report.tell(
        "sql.drivers",
        () -> DriverManager.drivers().map(Driver::getClass).map(Class::getName).toList());
    report.tell("sql.timeout", DriverManager::getLoginTimeout);
    report.tell("sql.log", () -> DriverManager.getLogWriter() != null);
    report.tell("default-handler", Thread::getDefaultUncaughtExceptionHandler);
    report.tell("thread.daemon", () -> Thread.currentThread().isDaemon());
    report.tell("thread.priority", () -> Thread.currentThread().getPriority());
    report.tell("thread.interrupted", () -> Thread.currentThread().isInterrupted());
    report.tell("thread.name", () -> Thread.currentThread().getName());
    report.tell("thread.group", () -> Thread.currentThread().getThreadGroup().getName());
    report.tell("timer", JdkLook::timed);
    report.tell("security.entry", () -> Security.getProvider("SUN").get(Deed.MARK));
    report.tell(
        "ssl.timeout", () -> SSLContext.getDefault().getClientSessionContext().getSessionTimeout());
    report.tell("serial-filter", ObjectInputFilter.Config::getSerialFilter);
    report.tell("beans.design", Beans::isDesignTime);
    report.tell(
        "children",
        () ->
            ProcessHandle.current()
                .children()
                .filter(each -> each.info().command().orElse("").endsWith("sleep"))
                .count());
    report.tell("common-pool", () -> ForkJoinPool.commonPool().isShutdown());
    report.tell("naming", NamingManager::hasInitialContextFactoryBuilder);
    report.tell("editors.path", () -> Arrays.toString(PropertyEditorManager.getEditorSearchPath()));
    report.tell("editors.mark", () -> PropertyEditorManager.findEditor(StringBuilder.class));
    report.tell("beans.path", () -> Arrays.toString(Introspector.getBeanInfoSearchPath()));
    report.tell("bundle", () -> ResourceBundle.getBundle("compat-bundle").getString("owner"));
    report.tell("assertions", () -> ClassLoader.getSystemClassLoader() != null && asserts());
    report.tell("xml.document", () -> DocumentBuilderFactory.newInstance().getClass());
    report.tell("xml.sax", () -> SAXParserFactory.newInstance().getClass());
    report.tell("xml.transformer", () -> TransformerFactory.newInstance().getClass());
    report.tell("zone.custom", () -> ZoneId.getAvailableZoneIds().contains("Hostile/Mark"));
    report.tell("charset.custom", () -> java.nio.charset.Charset.isSupported(Deed.MARK));
    report.tell(
        "loggers.jmx",
        () ->
            ManagementFactory.getPlatformMXBean(java.lang.management.PlatformLoggingMXBean.class)
                .getLoggerNames()
                .contains(Deed.MARK));
    report.tell(
        "tmp.bundles", () -> Collections.list(ResourceBundle.getBundle("compat-bundle").getKeys()));
  }

  /** Whose code runs where the JDK's timer completes a future. */
  private static Object timed() throws Exception {
    String folder = System.getProperty("user.dir");
    return new CompletableFuture<String>()
        .completeOnTimeout("late ", 20, TimeUnit.MILLISECONDS)
        .thenApply(each -> each + folder.equals(System.getProperty("user.dir")))
        .get(20, TimeUnit.SECONDS);
  }

  private static boolean asserts() {
    return JdkLook.class.desiredAssertionStatus();
  }
}
