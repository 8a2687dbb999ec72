// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.NodeRow;

/**
 * Sends each second's moment to all streams: first a snapshot, then what changed. The bytes of a
 * second are made once for all who see the same, and a stream that has not taken the last second's
 * is skipped; when it is ready again it gets a snapshot of the then latest. So a slow client costs
 * no memory.
 *
 * <p>{@link #publish} is called by one thread; streams come and go on any.
 */
final class StreamHub {

  private final ClusterRoutes cluster;
  private final Shares shares;
  private final ObjectMapper json = Json.mapper();
  private final Set<StreamClient> clients = ConcurrentHashMap.newKeySet();
  private volatile Moment latest;
  private volatile Frames frames;

  /** What a stream begins with. */
  record Snapshot(Views.Overview overview, List<String> columns, List<NodeRow> nodes) {}

  /** What is different from the second before. */
  record Change(Views.Overview overview, List<NodeRow> nodes, List<String> gone) {}

  StreamHub(ClusterRoutes cluster, Shares shares) {
    this.cluster = cluster;
    this.shares = shares;
  }

  /** Takes a client in; false if there are too many, or too many of its own. */
  boolean add(StreamClient client) {
    if (!shares.take(client.name())) {
      return false;
    }
    clients.add(client);
    Frames now = frames;
    if (now != null) {
      client.offer(now);
    }
    return true;
  }

  void remove(StreamClient client) {
    if (clients.remove(client)) {
      shares.release(client.name());
    }
  }

  int size() {
    return clients.size();
  }

  void publish(Moment moment) {
    Frames now = new Frames(latest, moment);
    latest = moment;
    frames = now;
    for (StreamClient client : clients) {
      client.offer(now);
    }
  }

  /** The bytes of one second, made when first asked for. */
  final class Frames {

    private final Moment before;
    private final Moment now;
    private final Map<String, byte[]> made = new HashMap<>();

    private Frames(Moment before, Moment now) {
      // Only the rows are compared; what came before that must not be kept.
      this.before = before;
      this.now = now;
    }

    long sequence() {
      return now.sequence();
    }

    /** The event for a viewer whose last one was that of {@code seen}, -1 for none. */
    synchronized byte[] of(Viewer viewer, long seen) {
      boolean change = before != null && seen == now.sequence() - 1;
      String audience = (change ? "c " : "s ") + (viewer.all() ? "" : viewer.user());
      return made.computeIfAbsent(audience, a -> change ? change(viewer) : snapshot(viewer));
    }

    private byte[] snapshot(Viewer viewer) {
      return event(
          "snapshot",
          new Snapshot(
              cluster.overview(now, viewer), NodeRow.COLUMNS, List.copyOf(now.rows().values())));
    }

    private byte[] change(Viewer viewer) {
      List<NodeRow> changed = new ArrayList<>();
      for (NodeRow row : now.rows().values()) {
        NodeRow old = before.rows().get(row.id());
        if (old == null || !same(old, row)) {
          changed.add(row);
        }
      }
      List<String> gone = new ArrayList<>(before.rows().keySet());
      gone.removeAll(now.rows().keySet());
      return event("change", new Change(cluster.overview(now, viewer), changed, gone));
    }

    private static boolean same(NodeRow a, NodeRow b) {
      return java.util.Arrays.equals(a.values(), b.values())
          && a.reach().equals(b.reach())
          && a.reason().equals(b.reason())
          && a.version().equals(b.version())
          && a.rack().equals(b.rack())
          && a.yarnState().equals(b.yarnState());
    }

    private byte[] event(String name, Object data) {
      try {
        String text = json.writeValueAsString(data);
        return ("id: " + now.sequence() + "\nevent: " + name + "\ndata: " + text + "\n\n")
            .getBytes(StandardCharsets.UTF_8);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("a moment is always JSON", e);
      }
    }
  }
}
