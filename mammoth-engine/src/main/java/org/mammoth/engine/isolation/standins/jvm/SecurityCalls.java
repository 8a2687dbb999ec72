// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.security.NoSuchAlgorithmException;
import java.security.Policy;
import java.security.Provider;
import java.security.Security;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSessionContext;
import javax.security.auth.login.Configuration;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of changing the JVM's security, which the JDK asks everywhere:
 * the task goes on in a process of its own. Stateless, thread-safe.
 */
public final class SecurityCalls {
  private SecurityCalls() {}

  /** {@code Security.addProvider}. */
  @Replaces(Security.class)
  public static int addProvider(Provider provider) {
    ProcessNeed.because("Security.addProvider");
    return Security.addProvider(provider);
  }

  /** {@code Security.insertProviderAt}. */
  @Replaces(Security.class)
  public static int insertProviderAt(Provider provider, int position) {
    ProcessNeed.because("Security.insertProviderAt");
    return Security.insertProviderAt(provider, position);
  }

  /** {@code Security.removeProvider}. */
  @Replaces(Security.class)
  public static void removeProvider(String name) {
    ProcessNeed.because("Security.removeProvider");
    Security.removeProvider(name);
  }

  /** {@code Security.setProperty}. */
  @Replaces(Security.class)
  public static void setProperty(String key, String value) {
    ProcessNeed.because("Security.setProperty");
    Security.setProperty(key, value);
  }

  /** {@code Provider.put} and its like: whoever has one of the JVM's may change it. */
  @Replaces(value = Provider.class, receiver = true)
  public static Object put(Provider self, Object key, Object value) {
    changing(self, "put");
    return self.put(key, value);
  }

  /** {@code Provider.setProperty}. */
  @Replaces(value = Provider.class, receiver = true)
  public static Object setProperty(Provider self, String key, String value) {
    changing(self, "setProperty");
    return self.setProperty(key, value);
  }

  /** {@code Provider.putAll}. */
  @Replaces(value = Provider.class, receiver = true)
  public static void putAll(Provider self, Map<?, ?> entries) {
    changing(self, "putAll");
    self.putAll(entries);
  }

  /** {@code Provider.remove}. */
  @Replaces(value = Provider.class, receiver = true)
  public static Object remove(Provider self, Object key) {
    changing(self, "remove");
    return self.remove(key);
  }

  /** {@code Provider.clear}. */
  @Replaces(value = Provider.class, receiver = true)
  public static void clear(Provider self) {
    changing(self, "clear");
    self.clear();
  }

  private static void changing(Provider provider, String method) {
    if (Stream.of(Security.getProviders()).anyMatch(each -> each == provider)) {
      ProcessNeed.because("Provider.%s of %s".formatted(method, provider.getName()));
    }
  }

  /** {@code SSLSessionContext.setSessionTimeout}. */
  @Replaces(value = SSLSessionContext.class, receiver = true)
  public static void setSessionTimeout(SSLSessionContext self, int seconds) {
    changing(self, "setSessionTimeout");
    self.setSessionTimeout(seconds);
  }

  /** {@code SSLSessionContext.setSessionCacheSize}. */
  @Replaces(value = SSLSessionContext.class, receiver = true)
  public static void setSessionCacheSize(SSLSessionContext self, int sessions) {
    changing(self, "setSessionCacheSize");
    self.setSessionCacheSize(sessions);
  }

  /** Those of the default context are the JVM's. */
  private static void changing(SSLSessionContext sessions, String method) {
    try {
      SSLContext ofJvm = Owners.callerOrNull() == null ? null : SSLContext.getDefault();
      if (ofJvm != null
          && (sessions == ofJvm.getClientSessionContext()
              || sessions == ofJvm.getServerSessionContext())) {
        ProcessNeed.because("SSLSessionContext." + method + " of the default context");
      }
    } catch (NoSuchAlgorithmException none) {
      // Without a default context these are none of its sessions.
      return;
    }
  }

  /** {@code Policy.setPolicy}. */
  @Replaces(Policy.class)
  public static void setPolicy(Policy policy) {
    ProcessNeed.because("Policy.setPolicy");
    Policy.setPolicy(policy);
  }

  /** {@code System.setSecurityManager}. */
  @Replaces(System.class)
  public static void setSecurityManager(SecurityManager manager) {
    ProcessNeed.because("System.setSecurityManager");
    System.setSecurityManager(manager);
  }

  /** {@code Configuration.setConfiguration}. */
  @Replaces(Configuration.class)
  public static void setConfiguration(Configuration configuration) {
    ProcessNeed.because("javax.security.auth.login.Configuration.setConfiguration");
    Configuration.setConfiguration(configuration);
  }
}
