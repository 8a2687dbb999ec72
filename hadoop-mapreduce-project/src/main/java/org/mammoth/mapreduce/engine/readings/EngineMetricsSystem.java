// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.readings;

import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.metrics2.MetricsSink;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsAnnotations;
import org.apache.hadoop.metrics2.lib.MetricsSourceBuilder;
import org.mammoth.engine.isolation.TaskProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's metrics system of an engine: the engine's own metrics are upstream's, what hosted code
 * registers is let be. In a process such sources die with the task; upstream never unregisters
 * them, so in an engine they would pile up, and the next ApplicationMaster's would clash by name.
 * Nobody but a sink sees them, and a task that has one, of its own or by {@code
 * hadoop-metrics2.properties}, needs a process.
 */
public final class EngineMetricsSystem extends MetricsSystem {

  private static final Logger LOG = LoggerFactory.getLogger(EngineMetricsSystem.class);

  private final MetricsSystem upstream;

  EngineMetricsSystem(MetricsSystem upstream) {
    this.upstream = upstream;
  }

  /** Starts upstream's system and puts this in front of it. */
  public static void install(String prefix) {
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
    TaskProcess process = TaskProcess.currentOrNull();
    if (process == null) {
      return upstream.init(prefix);
    }
    sinkFor(prefix.toLowerCase(Locale.ROOT))
        .ifPresent(key -> process.needProcess("its metrics go to a sink: " + key));
    return this;
  }

  /** A key that gives a kind of process a sink, in the file that upstream would read for it. */
  private static Optional<String> sinkFor(String prefix) {
    ClassLoader classPath = Thread.currentThread().getContextClassLoader();
    for (String name : List.of("hadoop-metrics2-" + prefix, "hadoop-metrics2")) {
      try (InputStream file = classPath.getResourceAsStream(name + ".properties")) {
        if (file != null) {
          Properties said = new Properties();
          said.load(file);
          return said.stringPropertyNames().stream()
              .filter(key -> key.startsWith(prefix + ".sink."))
              .min(Comparator.naturalOrder())
              .map(key -> key + " in " + name + ".properties");
        }
      } catch (IOException | IllegalArgumentException e) {
        // Upstream has no metrics then, either.
        LOG.warn("{}.properties cannot be read, so {} has no sinks of metrics", name, prefix, e);
        return Optional.empty();
      }
    }
    return Optional.empty();
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
    TaskProcess process = TaskProcess.currentOrNull();
    if (process != null) {
      process.needProcess("it registers a sink of metrics, " + sink.getClass().getName());
    }
    return upstream.register(name, description, sink);
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
    if (!isHosted()) {
      upstream.publishMetricsNow();
    }
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
