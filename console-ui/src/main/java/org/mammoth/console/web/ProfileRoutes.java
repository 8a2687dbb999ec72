// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ADMIN;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.order.NodeOrders;
import org.mammoth.console.order.OrderException;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;

/** What an engine's threads run and allocate, sampled on an administrator's order. */
final class ProfileRoutes {

  private static final int MOST_SECONDS = NodeAdminProtocol.MOST_PROFILE_SECONDS;

  private final Recorder recorder;
  private final NodeOrders nodes;

  ProfileRoutes(Recorder recorder, NodeOrders nodes) {
    this.recorder = recorder;
    this.nodes = nodes;
  }

  List<Route> routes() {
    Route.Param engine = new Route.Param("engine", "string", true, "the engine's id");
    return List.of(
        new Route(
            "POST",
            "/nodes/{node}/profile",
            ADMIN,
            "Begins to sample what an engine's threads run and allocate; one recording at a time",
            List.of(
                engine,
                new Route.Param(
                    "seconds", "integer", false, "how long, 1 to " + MOST_SECONDS + "; 10")),
            null,
            call -> profile(call, (int) call.number("seconds", 10, 1, MOST_SECONDS))),
        new Route(
            "GET",
            "/nodes/{node}/profile",
            ADMIN,
            "The last recording of an engine: state none, running or done; by stack, outermost"
                + " frame first and semicolons between, cpu in samples and allocation in bytes",
            List.of(engine),
            null,
            call -> profile(call, 0)));
  }

  private JsonNode profile(Call call, int seconds) throws ApiException {
    String origin =
        ActionRoutes.nodeManager(ClusterRoutes.find(recorder.moment(), call.text("node")));
    try {
      return nodes.profile(origin, call.viewer().user(), call.text("engine"), seconds);
    } catch (OrderException e) {
      throw new ApiException(e.status(), e.getMessage());
    }
  }
}
