// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.ProtocolException;
import org.mammoth.engine.shuffle.wire.Wire;

/** Lists of merges that have not come whole on one connection. Event loop only. */
final class MergeLists {

  private record Begun(MergeList head, int total, List<MergeList.Part> parts) {}

  private final Map<Integer, Begun> begun = new HashMap<>();

  /** Parts that all lists here will have. */
  private int promised;

  /** Whether a stream's list is here in part. */
  boolean has(int stream) {
    return begun.containsKey(stream);
  }

  /** Whether there is room for a list of so many parts. */
  boolean hasRoom(int total) {
    return total <= Wire.MAX_MERGED - promised;
  }

  /**
   * Adds a piece of a list; the first piece of a stream that was admitted, or the next one of it.
   *
   * @return the list if it is whole, else null
   */
  MergeList add(Frame.Merge frame) {
    MergeList piece = frame.piece();
    Begun list = begun.get(frame.stream());
    if (list == null) {
      list = new Begun(piece, frame.total(), new ArrayList<>());
      begun.put(frame.stream(), list);
      promised += frame.total();
    }
    MergeList head = list.head;
    boolean fits =
        frame.first() == list.parts.size()
            && frame.total() == list.total
            && piece.key().equals(head.key())
            && piece.order() == head.order();
    if (!fits) {
      throw new ProtocolException("pieces of the list of a merge that do not fit one another");
    }
    list.parts.addAll(piece.parts());
    if (list.parts.size() < list.total) {
      return null;
    }
    remove(frame.stream());
    return new MergeList(head.job(), head.name(), head.partition(), head.order(), list.parts);
  }

  /** Nobody wants the merge of a stream any more. */
  void remove(int stream) {
    Begun list = begun.remove(stream);
    if (list != null) {
      promised -= list.total;
    }
  }

  /** Forgets the lists of a job. */
  void forget(String job) {
    List<Integer> its = new ArrayList<>();
    begun.forEach(
        (stream, list) -> {
          if (list.head.job().equals(job)) {
            its.add(stream);
          }
        });
    its.forEach(this::remove);
  }
}
