// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.mammoth.console.alert.EventLog;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.Event;

/** What happened. */
final class EventRoutes {

  private static final long MAX_TIME = 1L << 52;
  private static final int MOST = 5_000;
  private static final Set<Event.Kind> ORDERS =
      EnumSet.of(Event.Kind.ALERT_ACKNOWLEDGED, Event.Kind.ALERT_MUTED, Event.Kind.ALERT_UNMUTED);

  private final Recorder recorder;
  private final EventLog events;

  /**
   * Events, newest first.
   *
   * @param more whether there are earlier ones within the span
   */
  record Events(long timeMs, long fromMs, long toMs, boolean more, List<Event> events) {}

  EventRoutes(Recorder recorder, EventLog events) {
    this.recorder = recorder;
    this.events = events;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/events",
            ANYONE,
            "What happened within a span of time, newest first; of jobs only those the caller may"
                + " see",
            List.of(
                new Route.Param("from", "integer", true, "first moment, milliseconds since 1970"),
                new Route.Param("to", "integer", true, "last moment, milliseconds since 1970"),
                new Route.Param(
                    "kinds",
                    "string",
                    false,
                    "only these, separated by commas: " + List.of(Event.Kind.values())),
                new Route.Param("node", "string", false, "only of this node"),
                new Route.Param("job", "string", false, "of jobs only this one"),
                new Route.Param("limit", "integer", false, "at most so many; the default is 500")),
            Events.class,
            this::events));
  }

  private Events events(Call call) throws ApiException {
    call.text("from");
    call.text("to");
    long from = call.number("from", 0, 0, MAX_TIME);
    long to = call.number("to", 0, 0, MAX_TIME);
    int limit = (int) call.number("limit", 500, 1, MOST);
    Set<Event.Kind> kinds = kinds(call);
    String node = call.query().containsKey("node") ? call.text("node") : "";
    String job = call.query().containsKey("job") ? call.text("job") : "";
    Viewer viewer = call.viewer();
    Predicate<Event> wanted =
        event ->
            kinds.contains(event.kind())
                && (node.isEmpty() || event.node().equals(node))
                && (job.isEmpty() || event.job().isEmpty() || event.job().equals(job))
                && (event.job().isEmpty() || viewer.sees(event.user()));
    List<Event> found = events.read(from, to, wanted, limit + 1);
    boolean more = found.size() > limit;
    List<Event> shown = new ArrayList<>();
    for (Event event : more ? found.subList(0, limit) : found) {
      shown.add(masked(event, viewer));
    }
    return new Events(recorder.moment().view().timeMs(), from, to, more, shown);
  }

  private static Set<Event.Kind> kinds(Call call) throws ApiException {
    if (!call.query().containsKey("kinds")) {
      return EnumSet.allOf(Event.Kind.class);
    }
    Set<Event.Kind> kinds = EnumSet.noneOf(Event.Kind.class);
    for (String name : call.text("kinds").split(",")) {
      try {
        kinds.add(Event.Kind.valueOf(name.trim()));
      } catch (IllegalArgumentException e) {
        throw new ApiException(
            400, "there is no kind " + name + "; there are " + List.of(Event.Kind.values()));
      }
    }
    return kinds;
  }

  /** Without names of others, and paths they gave orders about. */
  private static Event masked(Event event, Viewer viewer) {
    if (viewer.sees(event.user())) {
      return event;
    }
    return new Event(
        event.timeMs(),
        event.kind(),
        event.severity(),
        event.node(),
        event.job(),
        "",
        event.kind() == Event.Kind.ACTION ? "" : event.subject(),
        // The label of a mute may name a job.
        ORDERS.contains(event.kind()) ? event.subject() : event.text());
  }
}
