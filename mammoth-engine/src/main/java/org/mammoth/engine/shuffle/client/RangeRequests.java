// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.RangesCodec;
import org.mammoth.engine.shuffle.wire.Wire;

/**
 * Gathers what the fetches of one connection ask for until the event loop is done with what it is
 * at, and then asks for all of it in as few frames as there may be. Event loop only.
 */
final class RangeRequests {

  private record Kind(String job, int chunkSize) {}

  private final Consumer<Frame> sender;
  private final Consumer<Runnable> loop;
  private final List<Frame.Fetch> gathered = new ArrayList<>();

  /**
   * Nothing gathered yet.
   *
   * @param sender sends a frame
   * @param loop runs something on the event loop, not at once
   */
  RangeRequests(Consumer<Frame> sender, Consumer<Runnable> loop) {
    this.sender = sender;
    this.loop = loop;
  }

  /** Asks for a range soon; {@code version} is what both sides of the connection speak. */
  void add(Frame.Fetch request, int version) {
    if (version < Wire.RANGES_VERSION) {
      sender.accept(request);
      return;
    }
    if (gathered.isEmpty()) {
      loop.accept(this::send);
    }
    gathered.add(request);
  }

  /** Forgets a request; false if there is none that was not sent. */
  boolean withdraw(int stream) {
    return gathered.removeIf(request -> request.stream() == stream);
  }

  /** Asks for all that was gathered. */
  void send() {
    if (gathered.isEmpty()) {
      return;
    }
    Map<Kind, List<Frame.Fetch>> kinds = new LinkedHashMap<>();
    for (Frame.Fetch request : gathered) {
      kinds
          .computeIfAbsent(new Kind(request.job(), request.chunkSize()), kind -> new ArrayList<>())
          .add(request);
    }
    gathered.clear();
    for (List<Frame.Fetch> same : kinds.values()) {
      if (same.size() == 1) {
        sender.accept(same.get(0));
      } else {
        RangesCodec.frames(same).forEach(sender);
      }
    }
  }
}
