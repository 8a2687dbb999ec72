// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.beans.Beans;
import java.io.ObjectInputFilter;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformLoggingMXBean;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.security.Security;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.ObjectName;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that change what the JDK keeps, by the objects that it hands out. */
public final class StateDeeds {
  private StateDeeds() {}

  @Hostile(value = "silences the platform's loggers by java.util.logging", about = "jul")
  static final class PlatformLogger implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger.getLogger("hostile.silent").setLevel(Level.OFF);
      System.Logger platform = System.getLogger("hostile.silent");
      platform.log(System.Logger.Level.ERROR, MARK + " is to say nothing");
      return platform.isLoggable(System.Logger.Level.ERROR)
          + " "
          + System.getLogger("hostile.loud").isLoggable(System.Logger.Level.INFO);
    }
  }

  @Hostile(value = "makes a logger with a bundle and silences it", about = "jul")
  static final class BundleLogger implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger own = Logger.getLogger("hostile.bundle", "compat-bundle");
      own.setLevel(Level.OFF);
      return own.getResourceBundle().containsKey("owner")
          + " "
          + Logger.getLogger("hostile.bundle").getLevel()
          + " "
          + Logger.getAnonymousLogger("compat-bundle").getResourceBundleName();
    }
  }

  @Hostile(value = "sets levels by the management bean of loggers", about = "jul")
  static final class LoggingBean implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Logger own = Logger.getLogger(MARK);
      PlatformLoggingMXBean bean = ManagementFactory.getPlatformMXBean(PlatformLoggingMXBean.class);
      bean.setLoggerLevel("", "FINEST");
      bean.setLoggerLevel(MARK, "SEVERE");
      return own.getLevel() + bean.getLoggerLevel("") + bean.getLoggerNames().contains(MARK);
    }
  }

  @Hostile(
      value = "switches what the collector prints by its bean's attribute",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class BeanAttribute implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName memory = new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME);
      server.setAttribute(memory, new Attribute("Verbose", true));
      return String.valueOf(server.getAttribute(memory, "Verbose"));
    }
  }

  @Hostile(value = "listens to who registers beans", about = "jdk-setter")
  static final class BeanNotices implements Deed {
    /** Its interface. */
    public interface NoticedMBean {
      int getValue();
    }

    /** The bean. */
    public static final class Noticed implements NoticedMBean {
      @Override
      public int getValue() {
        return 7;
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      StringBuffer seen = new StringBuffer();
      server.addNotificationListener(
          MBeanServerDelegate.DELEGATE_NAME,
          (notice, back) -> seen.append(notice.getType()),
          null,
          null);
      ObjectName name = new ObjectName(MARK + ":type=Noticed");
      server.registerMBean(new Noticed(), name);
      server.unregisterMBean(name);
      return seen.toString();
    }
  }

  @Hostile(
      value = "changes an entry of a security provider",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class ProviderEntry implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Security.getProvider("SUN").put(MARK, "changed");
      return String.valueOf(Security.getProvider("SUN").get(MARK));
    }
  }

  @Hostile(
      value = "shortens the sessions of the default SSL context",
      about = "jdk-setter",
      mayNeedProcess = true)
  static final class SslSessions implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      SSLContext.getDefault().getClientSessionContext().setSessionTimeout(7);
      return SSLContext.getDefault().getClientSessionContext().getSessionTimeout() + " s";
    }
  }

  @Hostile(value = "filters all serialization", about = "jdk-setter", mayNeedProcess = true)
  static final class SerialFilter implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ObjectInputFilter.Config.setSerialFilter(
          ObjectInputFilter.Config.createFilter("!hostile.*;*"));
      return String.valueOf(ObjectInputFilter.Config.getSerialFilter() != null);
    }
  }

  @Hostile(value = "makes a registry of RMI", about = "jdk-setter", mayNeedProcess = true)
  static final class RmiRegistry implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return LocateRegistry.createRegistry(0).list().length + " bound";
    }
  }

  @Hostile(value = "leaves an object that others may call by RMI", about = "left-open")
  static final class RmiObject implements Deed {
    /** What others may call. */
    public interface Said extends Remote {
      String say() throws RemoteException;
    }

    /** The object. */
    public static final class Saying implements Said {
      @Override
      public String say() {
        return System.getProperty(MARK + ".rmi");
      }
    }

    private static final Said KEPT = new Saying();

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setProperty(MARK + ".rmi", "own");
      return ((Said) UnicastRemoteObject.exportObject(KEPT, 0)).say();
    }
  }

  @Hostile(value = "lets beans be designed", about = "jdk-setter")
  static final class DesignTime implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Beans.setDesignTime(true);
      return String.valueOf(Beans.isDesignTime());
    }
  }

  @Hostile(value = "records the JVM", about = "jdk-call", mayNeedProcess = true)
  static final class JvmRecording implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      try (jdk.jfr.Recording recording = new jdk.jfr.Recording()) {
        recording.start();
        return recording.getState().name();
      }
    }
  }

  @Hostile(value = "adds a hook twice and takes it away", about = "left-open")
  static final class HookTwice implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Thread hook = new Thread(() -> System.out.println(MARK));
      Runtime.getRuntime().addShutdownHook(hook);
      String twice;
      try {
        Runtime.getRuntime().addShutdownHook(hook);
        twice = "twice";
      } catch (IllegalArgumentException e) {
        twice = e.getMessage();
      }
      return twice
          + " "
          + Runtime.getRuntime().removeShutdownHook(hook)
          + Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  @Hostile(value = "asks for the newest of properties by their readers", about = "process")
  static final class PropertyReaders implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      System.setProperty(MARK + ".number", "7");
      System.setProperty(MARK + ".flag", "true");
      return Integer.getInteger(MARK + ".number")
          + " "
          + Long.getLong(MARK + ".number")
          + Boolean.getBoolean(MARK + ".flag")
          + ManagementFactory.getRuntimeMXBean().getSystemProperties().get(MARK + ".number");
    }
  }
}
