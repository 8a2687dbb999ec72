// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ADMIN;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.mammoth.api.status.CacheAnswers;
import org.mammoth.api.status.OrderAnswer;
import org.mammoth.config.names.KeyNames;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.order.CacheOrders;
import org.mammoth.console.order.NodeOrders;
import org.mammoth.console.order.OrderException;
import org.mammoth.mpcache.config.MpCacheKeys;

/**
 * What administrators may do. The daemon is asked in the administrator's name and judges once more,
 * by its own lists; its refusal is the answer.
 */
final class ActionRoutes {

  private static final Set<String> NODE_ACTIONS = Set.of("drain", "recycle", "disable", "enable");
  private static final Set<String> CACHE_ACTIONS = Set.of("evict", "warm", "pin", "unpin");
  private static final String ENGINE = KeyNames.ENGINE_ENABLED;

  private final Recorder recorder;
  private final NodeOrders nodes;
  private final CacheOrders caches;

  ActionRoutes(Recorder recorder, NodeOrders nodes, CacheOrders caches) {
    this.recorder = recorder;
    this.nodes = nodes;
    this.caches = caches;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "POST",
            "/nodes/{node}/actions/{action}",
            ADMIN,
            "Drains or recycles a node's engines, or switches an acceleration off and on until its"
                + " NodeManager restarts: drain, recycle, disable, enable",
            List.of(
                new Route.Param(
                    "engine", "string", false, "drain and recycle only this one; all without it"),
                new Route.Param(
                    "key",
                    "string",
                    false,
                    "what to disable and enable: "
                        + KeyNames.ENGINE_ENABLED
                        + ", the default, or "
                        + KeyNames.WARM_APP_MASTER
                        + "; 409 says why another cannot be")),
            Views.Outcome.class,
            this::node),
        new Route(
            "POST",
            "/cache/actions/{action}",
            ADMIN,
            "Evicts, warms, pins or unpins the data sets at and below a path: evict, warm, pin,"
                + " unpin",
            List.of(new Route.Param("path", "string", true, "an absolute path")),
            Views.Outcome.class,
            this::cache));
  }

  private Object node(Call call) throws ApiException {
    NodeState node = ClusterRoutes.find(recorder.moment(), call.text("node"));
    String action = known(call, NODE_ACTIONS);
    boolean drains = action.equals("drain") || action.equals("recycle");
    if (call.query().containsKey(drains ? "key" : "engine")) {
      throw new ApiException(400, action + " knows no parameter " + (drains ? "key" : "engine"));
    }
    String origin = nodeManager(node);
    String user = call.viewer().user();
    String engine = call.query().containsKey("engine") ? call.text("engine") : "";
    String key = call.query().containsKey("key") ? call.text("key") : ENGINE;
    try {
      return switch (action) {
        case "drain" ->
            outcome(action, node.id(), drained(nodes.drain(origin, user, engine), "the next task"));
        case "recycle" ->
            outcome(
                action, node.id(), drained(nodes.recycle(origin, user, engine), "a new engine"));
        default -> {
          boolean on = action.equals("enable");
          yield outcome(action, node.id(), turned(nodes.turn(origin, user, key, on)));
        }
      };
    } catch (OrderException e) {
      throw new ApiException(e.status(), e.getMessage());
    }
  }

  static String nodeManager(NodeState node) throws ApiException {
    if (node.nodeManager() == null) {
      throw new ApiException(409, node.id() + " has no NodeManager that could be asked");
    }
    return node.nodeManager();
  }

  private static String drained(OrderAnswer answer, String next) {
    List<String> engines = engines(answer);
    if (engines.isEmpty()) {
      return "No engine was open; nothing to do.";
    }
    return String.join(", ", engines)
        + (engines.size() == 1
            ? " takes no more tasks and ends with the last it has; "
            : " take no more tasks and end with the last they have; ")
        + (next.equals("a new engine") ? next + " is starting." : next + " starts a new one.");
  }

  private static String turned(OrderAnswer answer) throws ApiException {
    if (answer.refused()) {
      throw new ApiException(409, answer.reason());
    }
    StringBuilder text = new StringBuilder();
    String state = Boolean.TRUE.equals(answer.on()) ? "on" : "off";
    text.append(answer.key());
    text.append(Boolean.TRUE.equals(answer.changed()) ? " is switched " : " was already switched ");
    text.append(state).append(" until the NodeManager restarts.");
    List<String> engines = engines(answer);
    if (!engines.isEmpty()) {
      text.append(" No more tasks go to ").append(String.join(", ", engines)).append('.');
    }
    return text.toString();
  }

  private static List<String> engines(OrderAnswer answer) {
    return answer.engines() == null ? List.of() : answer.engines();
  }

  private Object cache(Call call) throws ApiException {
    String path = call.text("path");
    String action = known(call, CACHE_ACTIONS);
    if (!path.startsWith("/")) {
      throw new ApiException(400, "the parameter path is no absolute path");
    }
    String user = call.viewer().user();
    try {
      return switch (action) {
        case "evict" -> {
          long copies = caches.evict(user, path).copies();
          yield outcome(
              action, path, copies + " copies leave the cache with their slaves' next reports.");
        }
        case "warm" -> outcome(action, path, warmed(caches.warm(user, path)));
        default -> {
          boolean on = action.equals("pin");
          yield outcome(action, path, pinned(caches.pin(user, path, on), on));
        }
      };
    } catch (OrderException e) {
      throw new ApiException(e.status(), e.getMessage());
    }
  }

  private static String warmed(CacheAnswers.Warmed answer) {
    return answer.blocks()
        + " blocks ("
        + answer.bytes()
        + " bytes) are proposed to their slaves and enter as the policy admits them; "
        + answer.blocksWithoutSlave()
        + " have none."
        + (answer.more() ? " There are more: ask for parts of the path." : "");
  }

  private static String pinned(CacheAnswers.Pinned answer, boolean on) {
    boolean is = answer.pinned();
    String sets = answer.sets() + " known data sets changed.";
    if (on) {
      return "Pinned until the NameNode restarts or fails over; "
          + MpCacheKeys.PIN
          + " lasts. "
          + sets;
    }
    return is
        ? "Still pinned by " + MpCacheKeys.PIN + " or by a path above it. " + sets
        : "No longer pinned. " + sets;
  }

  private static Views.Outcome outcome(String action, String subject, String outcome) {
    return new Views.Outcome(action, subject, outcome);
  }

  private static String known(Call call, Set<String> actions) throws ApiException {
    String action = call.text("action");
    if (!actions.contains(action)) {
      throw new ApiException(
          404, "no action " + action + "; there are " + String.join(", ", new TreeSet<>(actions)));
    }
    return action;
  }
}
