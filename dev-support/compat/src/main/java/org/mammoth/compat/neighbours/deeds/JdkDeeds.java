// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.beans.Introspector;
import java.beans.PropertyEditorManager;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.security.Provider;
import java.security.Security;
import java.sql.Driver;
import java.sql.DriverManager;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.Collections;
import java.util.Date;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Properties;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.management.ObjectName;
import javax.naming.spi.NamingManager;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;
import org.mammoth.compat.neighbours.parts.NoDriver;

/** Programs that change settings of the JDK. */
public final class JdkDeeds {
  private JdkDeeds() {}

  @Hostile(value = "sets the default locale", about = "jdk-setter", mayNeedProcess = true)
  static final class DefaultLocale implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Locale.setDefault(Locale.GERMANY);
      return Locale.getDefault() + String.format(" %,.2f", 1234.5);
    }
  }

  @Hostile(
      value = "sets the default locale for formats only",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class FormatLocale implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Locale.setDefault(Locale.Category.FORMAT, Locale.FRANCE);
      return Locale.getDefault(Locale.Category.FORMAT)
          + " "
          + Locale.getDefault(Locale.Category.DISPLAY);
    }
  }

  @Hostile(value = "sets the default time zone", about = "jdk-setter", mayNeedProcess = true)
  static final class DefaultTimeZone implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
      return new Date(0).toString();
    }
  }

  @Hostile(value = "sets and clears system properties", about = "jdk-setter")
  static final class SystemProperty implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setProperty(MARK, "set");
      System.clearProperty("user.country");
      System.setProperty("line.separator", "|");
      return System.getProperty(MARK) + System.getProperty("user.country");
    }
  }

  @Hostile(value = "replaces all system properties", about = "jdk-setter")
  static final class AllProperties implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Properties all = new Properties();
      all.putAll(System.getProperties());
      all.setProperty(MARK, "all");
      System.setProperties(all);
      return System.getProperty(MARK);
    }
  }

  @Hostile(
      value = "names other XML factories in system properties",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class PropertiesOfTheFactories implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setProperty("javax.xml.parsers.SAXParserFactory", MARK);
      try {
        return javax.xml.parsers.SAXParserFactory.newInstance().toString();
      } catch (javax.xml.parsers.FactoryConfigurationError e) {
        return "refused";
      }
    }
  }

  @Hostile(
      value = "inserts a security provider before all others",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class SecurityProvider implements Deed {
    private static final class Own extends Provider {
      private static final long serialVersionUID = 1L;

      Own() {
        super(MARK, "1", MARK);
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Provider own = new Own();
      Security.insertProviderAt(own, 1);
      return Security.getProviders()[0].getName();
    }
  }

  @Hostile(value = "adds a security provider", about = "jdk-setter", mayNeedProcess = true)
  static final class AddedProvider implements Deed {
    private static final class Added extends Provider {
      private static final long serialVersionUID = 1L;

      Added() {
        super(MARK + "-added", "1", MARK);
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return Security.addProvider(new Added()) > 0
          ? Security.getProvider(MARK + "-added").getName()
          : "refused";
    }
  }

  @Hostile(value = "removes a security provider", about = "jdk-setter", mayNeedProcess = true)
  static final class RemovedProvider implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Security.removeProvider("SunSASL");
      return String.valueOf(Security.getProvider("SunSASL"));
    }
  }

  @Hostile(value = "sets security properties", about = "jdk-setter", mayNeedProcess = true)
  static final class SecurityProperty implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Security.setProperty(MARK, "set");
      Security.setProperty("networkaddress.cache.ttl", "7");
      return Security.getProperty(MARK) + Security.getProperty("networkaddress.cache.ttl");
    }
  }

  @Hostile(value = "registers an MBean", about = "jdk-setter")
  static final class MBean implements Deed {
    /** Its interface. */
    public interface BeanMBean {
      int getValue();
    }

    /** The bean. */
    public static final class Bean implements BeanMBean {
      @Override
      public int getValue() {
        return 7;
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new Bean(), new ObjectName(MARK + ":type=Bean"));
      return String.valueOf(
          ManagementFactory.getPlatformMBeanServer()
              .getAttribute(new ObjectName(MARK + ":type=Bean"), "Value"));
    }
  }

  @Hostile(
      value = "registers an MBean under a name that each task uses, as frameworks do",
      about = "jdk-setter")
  static final class MBeanTwice implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ObjectName name = new ObjectName("hostile.framework:type=Once");
      ManagementFactory.getPlatformMBeanServer().registerMBean(new Once(), name);
      return "registered";
    }

    /** What is registered. */
    public interface OnceMBean {
      int getNumber();
    }

    /** It. */
    public static final class Once implements OnceMBean {
      @Override
      public int getNumber() {
        return 1;
      }
    }
  }

  @Hostile(value = "sets thresholds of memory and listens, as Pig does", about = "jdk-setter")
  static final class MemoryThresholds implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.lang.management.MemoryMXBean heap = ManagementFactory.getMemoryMXBean();
      ((javax.management.NotificationEmitter) heap)
          .addNotificationListener((notice, back) -> System.gc(), null, MARK);
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        if (pool.isUsageThresholdSupported()) {
          pool.setUsageThreshold(1L << 20);
        }
        if (pool.isCollectionUsageThresholdSupported()) {
          pool.setCollectionUsageThreshold(1L << 20);
        }
      }
      return Runtime.getRuntime().maxMemory() > 0 ? "set" : "no heap";
    }
  }

  @Hostile(value = "makes an MBean server", about = "jdk-setter")
  static final class MBeanServer implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      javax.management.MBeanServerFactory.createMBeanServer(MARK);
      return javax.management.MBeanServerFactory.findMBeanServer(null).size() > 0 ? "made" : "none";
    }
  }

  @Hostile(
      value = "lets the collector print what it does",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class MemoryVerbose implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ManagementFactory.getMemoryMXBean().setVerbose(true);
      return String.valueOf(ManagementFactory.getMemoryMXBean().isVerbose());
    }
  }

  @Hostile(
      value = "switches monitoring of contention on",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class ContentionMonitoring implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ManagementFactory.getThreadMXBean().setThreadContentionMonitoringEnabled(true);
      return String.valueOf(
          ManagementFactory.getThreadMXBean().isThreadContentionMonitoringEnabled());
    }
  }

  @Hostile(
      value = "sets an option of the JVM while it runs",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class VmOption implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      com.sun.management.HotSpotDiagnosticMXBean vm =
          ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
      vm.setVMOption("HeapDumpPath", MARK);
      return vm.getVMOption("HeapDumpPath").getValue();
    }
  }

  @Hostile(value = "sets the default handler of exceptions", about = "jdk-setter")
  static final class UncaughtHandler implements Deed {
    private static final class Handler implements Thread.UncaughtExceptionHandler {
      @Override
      public void uncaughtException(Thread thread, Throwable thrown) {
        System.err.println(MARK);
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Thread.setDefaultUncaughtExceptionHandler(new Handler());
      return Thread.getDefaultUncaughtExceptionHandler().getClass().getSimpleName();
    }
  }

  @Hostile(value = "removes all JDBC drivers and registers its own", about = "jdk-setter")
  static final class DeregisteredDrivers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      for (Driver each : Collections.list(DriverManager.getDrivers())) {
        DriverManager.deregisterDriver(each);
      }
      DriverManager.registerDriver(new NoDriver());
      DriverManager.setLoginTimeout(7);
      return DriverManager.drivers().map(each -> each.getClass().getSimpleName()).toList()
          + " "
          + DriverManager.getLoginTimeout();
    }
  }

  @Hostile(value = "sets the log of JDBC", about = "jdk-setter")
  static final class DriverLog implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      DriverManager.setLogWriter(new java.io.PrintWriter(System.err));
      return String.valueOf(DriverManager.getLogWriter() != null);
    }
  }

  @Hostile(
      value = "registers a property editor and a search path",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class PropertyEditor implements Deed {
    /** An editor. */
    public static final class Editor extends java.beans.PropertyEditorSupport {}

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      PropertyEditorManager.registerEditor(StringBuilder.class, Editor.class);
      PropertyEditorManager.setEditorSearchPath(new String[] {MARK});
      return PropertyEditorManager.findEditor(StringBuilder.class).getClass().getSimpleName();
    }
  }

  @Hostile(
      value = "sets where bean infos are looked for",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class BeanInfoPath implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Introspector.setBeanInfoSearchPath(new String[] {MARK});
      return Introspector.getBeanInfoSearchPath()[0];
    }
  }

  @Hostile(value = "fills the cache of resource bundles with its own text", about = "jdk-cache")
  static final class ResourceBundles implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      String text = ResourceBundle.getBundle("compat-bundle").getString("owner");
      java.util.Properties file = new java.util.Properties();
      try (java.io.InputStream in =
          ResourceBundles.class.getResourceAsStream("/compat-bundle.properties")) {
        file.load(in);
      }
      return text.equals(file.getProperty("owner")) ? "as its file says" : text;
    }
  }

  @Hostile(
      value = "sets the builder of naming contexts",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class NamingBuilder implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      NamingManager.setInitialContextFactoryBuilder(environment -> null);
      return String.valueOf(NamingManager.hasInitialContextFactoryBuilder());
    }
  }

  @Hostile(
      value = "registers rules of a time zone of its own",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class OwnZone implements Deed {
    /** The rules. */
    private static final class Rules extends ZoneRulesProvider {
      @Override
      protected Set<String> provideZoneIds() {
        return Set.of("Hostile/Mark");
      }

      @Override
      protected ZoneRules provideRules(String zone, boolean forCaching) {
        return ZoneRules.of(java.time.ZoneOffset.UTC);
      }

      @Override
      protected NavigableMap<String, ZoneRules> provideVersions(String zone) {
        return new TreeMap<>(java.util.Map.of("1", ZoneRules.of(java.time.ZoneOffset.UTC)));
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ZoneRulesProvider.registerProvider(new Rules());
      return String.valueOf(ZoneId.getAvailableZoneIds().contains("Hostile/Mark"));
    }
  }

  @Hostile(
      value = "switches assertions of the system class loader on",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class Assertions implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ClassLoader.getSystemClassLoader().setDefaultAssertionStatus(true);
      ClassLoader.getSystemClassLoader().setPackageAssertionStatus("org.mammoth.compat", true);
      return String.valueOf(org.apache.hadoop.io.MapWritable.class.desiredAssertionStatus());
    }
  }

  @Hostile(value = "gives common-pool threads a name and a class loader", about = "jdk-shared")
  static final class CommonPool implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return CompletableFuture.supplyAsync(
              () -> {
                Thread.currentThread().setName(MARK);
                Thread.currentThread().setContextClassLoader(null);
                return "done";
              })
          .get();
    }
  }

  @Hostile(value = "leaves an InheritableThreadLocal in common-pool threads", about = "jdk-shared")
  static final class CommonPoolThreadLocal implements Deed {
    private static final InheritableThreadLocal<String> LEFT = new InheritableThreadLocal<>();

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      LEFT.set(MARK);
      String seen = CompletableFuture.supplyAsync(() -> "pool").get();
      return seen + LEFT.get();
    }
  }

  @Hostile(value = "replaces all standard streams", about = "jdk-setter")
  static final class StandardStreams implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setOut(new PrintStream(OutputStream.nullOutputStream(), true));
      System.setErr(new PrintStream(OutputStream.nullOutputStream(), true));
      System.setIn(new ByteArrayInputStream(new byte[] {7}));
      return String.valueOf(System.in.read());
    }
  }

  @Hostile(value = "closes its standard streams", about = "jdk-setter")
  static final class ClosedStreams implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.out.close();
      System.err.close();
      return "closed";
    }
  }

  @Hostile(value = "sets a security manager", about = "jdk-setter", mayNeedProcess = true)
  static final class SecurityManagerSet implements Deed {
    private static final class Manager extends SecurityManager {
      @Override
      public void checkPermission(java.security.Permission permission) {
        if (permission.getName().equals(MARK)) {
          throw new SecurityException(MARK);
        }
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setSecurityManager(new Manager());
      return String.valueOf(System.getSecurityManager() != null);
    }
  }

  @Hostile(value = "sets the image cache", about = "jdk-setter")
  static final class ImageCache implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      javax.imageio.ImageIO.setUseCache(false);
      return String.valueOf(javax.imageio.ImageIO.getUseCache());
    }
  }

  @Hostile(value = "handles a signal", about = "jdk-setter", mayNeedProcess = true)
  static final class Signals implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return String.valueOf(
          sun.misc.Signal.handle(new sun.misc.Signal("USR2"), signal -> {}) != null);
    }
  }

  @Hostile(value = "changes its thread's priority, name and class loader", about = "jdk-shared")
  static final class ThreadPriority implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Thread.currentThread().setPriority(Thread.MIN_PRIORITY);
      Thread.currentThread().setName(MARK);
      return Thread.currentThread().getName() + Thread.currentThread().getPriority();
    }
  }

  @Hostile(value = "leaves its thread interrupted", about = "jdk-shared")
  static final class Interrupted implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Thread.currentThread().interrupt();
      return String.valueOf(Thread.interrupted());
    }
  }
}
