package org.mammoth.mapreduce.nodemanager;

/** A task was not started in an engine; its message completes "it runs in a process because". */
final class EngineUnavailableException extends Exception {

  private static final long serialVersionUID = 1L;

  EngineUnavailableException(String message) {
    super(message);
  }
}
