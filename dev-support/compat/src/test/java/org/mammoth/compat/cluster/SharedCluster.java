// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the one cluster of this JVM: started for the first that asks, closed after the last
 * test of all.
 */
public final class SharedCluster implements ParameterResolver {
  /**
   * The container executor under test; another one's class name can be given as a system property.
   */
  private static final String EXECUTOR =
      System.getProperty(
          "mammoth.compat.executor", "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor");

  /** Cluster configuration on top, {@code KEY=VALUE} by the comma, from a system property. */
  private static final String SETTINGS = System.getProperty("mammoth.compat.set", "");

  private record Held(MiniCluster cluster) implements CloseableResource {
    @Override
    public void close() {
      cluster.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == MiniCluster.class;
  }

  @Override
  public MiniCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(SharedCluster.class))
        .getOrComputeIfAbsent(Held.class, type -> start(), Held.class)
        .cluster();
  }

  private static Map<String, String> settings(String given) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String setting : given.split(",")) {
      if (!setting.isBlank()) {
        String[] parts = setting.split("=", 2);
        if (parts.length < 2) {
          throw new IllegalArgumentException(
              "mammoth.compat.set takes KEY=VALUE,KEY=VALUE; this is none: " + setting);
        }
        settings.put(parts[0].trim(), parts[1].trim());
      }
    }
    return settings;
  }

  private static Held start() {
    try {
      Path home =
          Path.of(System.getProperty("java.io.tmpdir"), "cluster-" + ProcessHandle.current().pid());
      return new Held(new MiniCluster(home, EXECUTOR, settings(SETTINGS)));
    } catch (Exception e) {
      throw new IllegalStateException(
          "the cluster did not start; its log is " + MiniCluster.log(), e);
    }
  }
}
