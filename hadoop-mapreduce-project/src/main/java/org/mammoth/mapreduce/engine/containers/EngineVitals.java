// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.mammoth.api.status.EngineSnapshot;

/**
 * How the engine is doing: totals since it started, and what the JVM and the kernel say.
 *
 * <p>Not final, as tests say how far the heap has grown.
 */
public class EngineVitals {

  private static final long MIB = 1L << 20;
  private static final Path RESIDENT = Path.of("/proc/self/statm");
  private static final long PAGE_BYTES = 4096;

  /** A process that a signal ends has this much more than the signal's number as exit status. */
  private static final int SIGNALLED = 128;

  /** Fewer than a task opens. */
  private static final int FEW_DESCRIPTORS = 64;

  private final String engineId;
  private final String user;
  private final Clock clock;
  private final long startedMs;
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong aborted = new AtomicLong();
  private final AtomicLong nonZero = new AtomicLong();
  private final AtomicLong killed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final ObjectMapper json = new ObjectMapper();

  public EngineVitals(String engineId, String user, Clock clock) {
    this.engineId = engineId;
    this.user = user;
    this.clock = clock;
    this.startedMs = clock.millis();
  }

  public void started() {
    started.incrementAndGet();
  }

  /**
   * @param exitCode what its process would have ended with
   * @param failedItself whether it told its ApplicationMaster that it failed; its exit is 0 then
   */
  public void ended(int exitCode, boolean failedItself) {
    ended.incrementAndGet();
    if (ContainerExitStatus.ABORTED != exitCode) {
      if (exitCode > SIGNALLED) {
        killed.incrementAndGet();
      } else if (exitCode != 0 || failedItself) {
        failed.incrementAndGet();
      }
    }
    if (exitCode == ContainerExitStatus.ABORTED) {
      aborted.incrementAndGet();
    } else if (exitCode != 0) {
      nonZero.incrementAndGet();
    }
  }

  public String engineId() {
    return engineId;
  }

  public String user() {
    return user;
  }

  public long nowMs() {
    return clock.millis();
  }

  public long startedMs() {
    return startedMs;
  }

  public EngineSnapshot.Counts counts(int running, int lingering) {
    long bad = killed.get() + failed.get() + aborted.get();
    return new EngineSnapshot.Counts(
        running,
        started.get(),
        ended.get() - bad,
        killed.get(),
        failed.get(),
        aborted.get(),
        lingering);
  }

  public EngineSnapshot.Jvm jvm() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    long collections = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections += Math.max(0, collector.getCollectionCount());
    }
    long direct = 0;
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      direct += pool.getName().equals("direct") ? pool.getMemoryUsed() : 0;
    }
    return new EngineSnapshot.Jvm(
        heap.getUsed(),
        heap.getCommitted(),
        heap.getMax(),
        direct,
        residentBytes(),
        metaspaceBytes(),
        collections,
        collectionMs(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
  }

  /** Milliseconds all collectors have taken since the JVM started. */
  static long collectionMs() {
    long ms = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ms += Math.max(0, collector.getCollectionTime());
    }
    return ms;
  }

  /** Resident set of the engine's process, bytes; 0 where the kernel does not tell. */
  static long residentBytes() {
    try {
      return Long.parseLong(Files.readString(RESIDENT).split(" ")[1]) * PAGE_BYTES;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Whether the process can open but a few files more; false where the system does not tell. */
  boolean lacksDescriptors() {
    if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
      return false;
    }
    long open = unix.getOpenFileDescriptorCount();
    // Counting them needs one.
    return open < 0 || unix.getMaxFileDescriptorCount() - open < FEW_DESCRIPTORS;
  }

  /** The heap as the JVM has it from the system, MiB; 0 if it is no more than at its start. */
  public long grownHeapMb() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return heap.getCommitted() > heap.getInit() ? heap.getCommitted() / MIB : 0;
  }

  long metaspaceMb() {
    return metaspaceBytes() / MIB;
  }

  private static long metaspaceBytes() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals("Metaspace")) {
        return pool.getUsage().getUsed();
      }
    }
    return 0;
  }

  /** The state as JSON; field names are those of the status command and of JMX. */
  String json(List<HostedContainer> running, int lingering, String drainReason) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("engineId", engineId);
    state.put("user", user);
    state.put("pid", ProcessHandle.current().pid());
    state.put("uptimeMs", clock.millis() - startedMs);
    state.put("draining", drainReason);
    state.put("tasksRunning", running.size());
    state.put("tasksStarted", started.get());
    state.put("tasksEnded", ended.get());
    state.put("tasksAborted", aborted.get());
    state.put("exitsNonZero", nonZero.get());
    state.put("tasksLingering", lingering);
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    state.put("heapUsedBytes", heap.getUsed());
    state.put("heapMaxBytes", heap.getMax());
    state.put("metaspaceMb", metaspaceMb());
    state.put("residentBytes", residentBytes());
    state.put("gcMs", collectionMs());
    state.put("threads", ManagementFactory.getThreadMXBean().getThreadCount());
    state.put("loadedClasses", ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
    List<Object> tasks = new ArrayList<>();
    for (HostedContainer task : running) {
      tasks.add(described(task.row()));
    }
    state.put("tasks", tasks);
    try {
      return json.writeValueAsString(state);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and texts are always JSON", e);
    }
  }

  private static Map<String, Object> described(EngineSnapshot.Task task) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("attempt", task.attempt());
    described.put("container", task.container());
    described.put("memoryMb", task.memoryMb());
    described.put("runningMs", System.currentTimeMillis() - task.sinceMs());
    described.put("programs", task.programs());
    described.put("programBytes", task.programBytes());
    return described;
  }
}
