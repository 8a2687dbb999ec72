// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import org.mammoth.console.alert.EventLog;
import org.mammoth.console.model.Event;

/** Writes what administrators have done into the log of events. Any thread. */
final class ActionEvents {

  private final EventLog events;

  ActionEvents(EventLog events) {
    this.events = events;
  }

  /** The same operation, which is an event if it is an action that is carried out. */
  Route noted(Route route) {
    // Those on alerts are events of their own.
    boolean action = route.method().equals("POST") && route.right() == Route.Right.ADMIN;
    if (!action || route.path().startsWith("/alerts/")) {
      return route;
    }
    return new Route(
        route.method(),
        route.path(),
        route.right(),
        route.summary(),
        route.query(),
        route.answer(),
        call -> {
          Object answer = route.handler().answer(call);
          events.add(event(route, call));
          return answer;
        });
  }

  private static Event event(Route route, Call call) {
    String action =
        call.path()
            .getOrDefault("action", route.path().substring(route.path().lastIndexOf('/') + 1));
    return new Event(
        0,
        Event.Kind.ACTION,
        "",
        call.path().getOrDefault("node", ""),
        "",
        call.viewer().user(),
        String.join(" ", new java.util.TreeMap<>(call.query()).values()),
        action);
  }
}
