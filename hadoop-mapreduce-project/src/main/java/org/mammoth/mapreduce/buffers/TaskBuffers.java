package org.mammoth.mapreduce.buffers;

import java.util.List;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.sort.ElementSource;

/**
 * What one task attempt uses of its engine's memory. All of it ends with the attempt, but what was
 * given to the send buffer.
 */
public interface TaskBuffers {

  /** A task's container, seen by the plug-ins that run inside the task. */
  interface Holder {

    /** The buffers of this task. */
    TaskBuffers buffers();
  }

  /** The buffers of the task the calling thread belongs to, or null outside an engine. */
  static TaskBuffers ofCurrentTask() {
    TaskProcess process = TaskProcess.currentOrNull();
    return process != null && process.listener() instanceof Holder holder ? holder.buffers() : null;
  }

  /** Slabs for unsorted records. */
  ElementSource elements();

  /** Size of each slab in bytes. */
  int slabBytes();

  /** Units of the sort buffer. */
  UnitSource sort();

  /** Units of the send buffer; they outlive the attempt. */
  UnitSource send();

  /** Units of the receive buffer. */
  UnitSource receive();

  /** The node's final map outputs. */
  SendBuffer sendBuffer();

  /** Has {@code action} run when the attempt ends, however it ends. */
  void onEnd(Runnable action);

  /** The application's folders on the node's local disks, where map outputs are. */
  List<String> localDirs();
}
