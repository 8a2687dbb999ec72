package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineReport;

/** The engine's end of {@link EngineProtocol}. */
final class EngineService implements EngineProtocol {

  private final HostedContainers tasks;

  EngineService(HostedContainers tasks) {
    this.tasks = tasks;
  }

  @Override
  public String launch(ContainerLaunchSpec spec) {
    return tasks.launch(spec);
  }

  @Override
  public boolean signal(String containerId, int signal) {
    return tasks.signal(containerId, signal);
  }

  @Override
  public EngineReport poll(String[] acknowledged, long waitMs) throws IOException {
    try {
      return tasks.poll(acknowledged, waitMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the engine is ending");
    }
  }

  @Override
  public void drain(String reason) {
    tasks.drain(reason);
  }
}
