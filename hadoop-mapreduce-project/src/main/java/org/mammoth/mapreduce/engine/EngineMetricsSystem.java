// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.metrics2.MetricsSink;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsAnnotations;
import org.apache.hadoop.metrics2.lib.MetricsSourceBuilder;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * Hadoop's metrics system of an engine: the engine's own metrics are upstream's, what hosted code
 * registers is let be. In a process such sources die with the task; upstream never unregisters
 * them, so in an engine they would pile up, and the next ApplicationMaster's would clash by name.
 */
final class EngineMetricsSystem extends MetricsSystem {

  private final MetricsSystem upstream;

  private EngineMetricsSystem(MetricsSystem upstream) {
    this.upstream = upstream;
  }

  /** Starts upstream's system and puts this in front of it. */
  static void install(String prefix) {
    MetricsSystem upstream = DefaultMetricsSystem.initialize(prefix);
    DefaultMetricsSystem.setInstance(new EngineMetricsSystem(upstream));
  }

  /** What a task has registered, by name; found again by name, as upstream's would be. */
  private static final class TaskSources {
    private final Map<String, MetricsSource> byName = new ConcurrentHashMap<>();

    /** Those of the calling task, or null when it is the engine's own call. */
    static TaskSources ofCaller() {
      TaskProcess process = TaskProcess.currentOrNull();
      return process == null ? null : process.part(TaskSources.class, TaskSources::new);
    }

    /** Gives the source its metric objects, which is all that its user needs. */
    void add(String name, Object source) {
      MetricsSourceBuilder builder = MetricsAnnotations.newSourceBuilder(source);
      MetricsSource made = builder.build();
      byName.put(name == null ? builder.info().name() : name, made);
    }
  }

  private static boolean isHosted() {
    return TaskProcess.currentOrNull() != null;
  }

  @Override
  public MetricsSystem init(String prefix) {
    return isHosted() ? this : upstream.init(prefix);
  }

  @Override
  public <T> T register(String name, String description, T source) {
    TaskSources ofTask = TaskSources.ofCaller();
    if (ofTask != null) {
      ofTask.add(name, source);
      return source;
    }
    return upstream.register(name, description, source);
  }

  @Override
  public <T extends MetricsSink> T register(String name, String description, T sink) {
    return isHosted() ? sink : upstream.register(name, description, sink);
  }

  @Override
  public void register(Callback callback) {
    if (!isHosted()) {
      upstream.register(callback);
    }
  }

  @Override
  public void unregisterSource(String name) {
    TaskSources ofTask = TaskSources.ofCaller();
    if (ofTask == null) {
      upstream.unregisterSource(name);
    } else {
      ofTask.byName.remove(name);
    }
  }

  @Override
  public MetricsSource getSource(String name) {
    TaskSources ofTask = TaskSources.ofCaller();
    return ofTask == null ? upstream.getSource(name) : ofTask.byName.get(name);
  }

  @Override
  public void publishMetricsNow() {
    upstream.publishMetricsNow();
  }

  @Override
  public boolean shutdown() {
    TaskSources ofTask = TaskSources.ofCaller();
    if (ofTask == null) {
      return upstream.shutdown();
    }
    ofTask.byName.clear();
    return true;
  }

  @Override
  public void start() {
    if (!isHosted()) {
      upstream.start();
    }
  }

  @Override
  public void stop() {
    if (!isHosted()) {
      upstream.stop();
    }
  }

  @Override
  public void startMetricsMBeans() {
    if (!isHosted()) {
      upstream.startMetricsMBeans();
    }
  }

  @Override
  public void stopMetricsMBeans() {
    if (!isHosted()) {
      upstream.stopMetricsMBeans();
    }
  }

  @Override
  public String currentConfig() {
    return upstream.currentConfig();
  }
}
