package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ADMIN;

import java.util.List;
import java.util.Set;
import org.mammoth.console.live.Recorder;

/**
 * What administrators may do. Daemons of this version take orders by their own commands only, over
 * Hadoop's RPC; the console, which speaks HTTP, says so instead of pretending.
 */
final class ActionRoutes {

  private static final Set<String> NODE_ACTIONS = Set.of("drain", "recycle", "disable", "enable");
  private static final Set<String> CACHE_ACTIONS = Set.of("evict", "warm", "pin", "unpin");

  private final Recorder recorder;

  ActionRoutes(Recorder recorder) {
    this.recorder = recorder;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "POST",
            "/nodes/{node}/actions/{action}",
            ADMIN,
            "Drains or recycles a node's engines, or switches them off and on: drain, recycle,"
                + " disable, enable",
            List.of(),
            Views.Outcome.class,
            this::node),
        new Route(
            "POST",
            "/cache/actions/{action}",
            ADMIN,
            "Evicts, warms, pins or unpins a data set: evict, warm, pin, unpin",
            List.of(new Route.Param("path", "string", true, "the data set's path")),
            Views.Outcome.class,
            this::cache));
  }

  private Object node(Call call) throws ApiException {
    ClusterRoutes.find(recorder.moment(), call.text("node"));
    String action = call.text("action");
    if (!NODE_ACTIONS.contains(action)) {
      throw new ApiException(404, "no action " + action + "; there are " + sorted(NODE_ACTIONS));
    }
    throw new ApiException(
        501,
        "The NodeManager of this version has no HTTP endpoint to "
            + action
            + " its engines. Use its own configuration and restart it, or YARN's decommissioning.");
  }

  private Object cache(Call call) throws ApiException {
    call.text("path");
    String action = call.text("action");
    if (!CACHE_ACTIONS.contains(action)) {
      throw new ApiException(404, "no action " + action + "; there are " + sorted(CACHE_ACTIONS));
    }
    throw new ApiException(
        501,
        "The NameNode of this version has no HTTP endpoint to "
            + action
            + " a data set. Paths are pinned and kept out by the keys mammoth.mpcache.* of its"
            + " configuration.");
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", new java.util.TreeSet<>(names));
  }
}
