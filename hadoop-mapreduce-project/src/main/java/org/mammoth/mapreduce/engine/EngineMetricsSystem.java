package org.mammoth.mapreduce.engine;

import org.apache.hadoop.metrics2.MetricsSink;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsAnnotations;
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

  private static boolean isHosted() {
    return TaskProcess.currentOrNull() != null;
  }

  @Override
  public MetricsSystem init(String prefix) {
    return isHosted() ? this : upstream.init(prefix);
  }

  @Override
  public <T> T register(String name, String description, T source) {
    if (isHosted()) {
      // Gives the source its metric objects, which is all that its user needs.
      MetricsAnnotations.makeSource(source);
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
    if (!isHosted()) {
      upstream.unregisterSource(name);
    }
  }

  @Override
  public MetricsSource getSource(String name) {
    return isHosted() ? null : upstream.getSource(name);
  }

  @Override
  public void publishMetricsNow() {
    upstream.publishMetricsNow();
  }

  @Override
  public boolean shutdown() {
    return !isHosted() && upstream.shutdown();
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
