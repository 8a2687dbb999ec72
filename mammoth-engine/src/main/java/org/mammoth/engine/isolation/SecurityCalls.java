package org.mammoth.engine.isolation;

import java.security.Policy;
import java.security.Provider;
import java.security.Security;
import javax.security.auth.login.Configuration;

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
