// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ADMIN;
import static org.mammoth.console.web.Route.Right.ANYONE;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mammoth.console.alert.Alert;
import org.mammoth.console.alert.Alerts;
import org.mammoth.console.alert.Mute;
import org.mammoth.console.config.AlertKeys;

/** Alerts, and what administrators may do about them. */
final class AlertRoutes {

  private static final long MAX_MUTE_MINUTES = 60L * 24 * 90;
  private static final Route.Param RULE =
      new Route.Param("rule", "string", true, "the rule's name, as NodeUnreachable");
  private static final Route.Param COMMENT =
      new Route.Param("comment", "string", false, "why, for the others");

  private final Alerts alerts;

  AlertRoutes(Alerts alerts) {
    this.alerts = alerts;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/alerts",
            ANYONE,
            "Alerts that fire or are about to, by rule, those resolved within a day, mutes, rules,"
                + " and how notifications fare",
            List.of(
                new Route.Param(
                    "limit",
                    "integer",
                    false,
                    "at most so many alerts of a rule and so many resolved ones; the default is"
                        + " 100")),
            AlertViews.AlertsView.class,
            call ->
                AlertViews.of(
                    alerts.snapshot(), call.viewer(), (int) call.number("limit", 100, 0, 1000))),
        action(
            "acknowledge",
            "Says that somebody takes care of a rule's alerts that fire now, until they are"
                + " resolved",
            List.of(
                RULE,
                new Route.Param(
                    "fingerprint", "string", false, "only this alert; all of the rule without it"),
                COMMENT),
            this::acknowledge),
        action(
            "mute",
            "Has nobody told of a rule's alerts for a time",
            List.of(
                RULE,
                new Route.Param(
                    "label",
                    "string",
                    false,
                    "only alerts with this label, as node=n1:8042; all of the rule without it"),
                new Route.Param("minutes", "integer", false, "how long; the default is 60"),
                COMMENT),
            this::mute),
        action(
            "unmute",
            "Ends a mute",
            List.of(new Route.Param("mute", "string", true, "its id")),
            this::unmute),
        action(
            "test",
            "Sends a test notification by every channel, and waits for what becomes of it",
            List.of(),
            this::test));
  }

  private static Route action(
      String name, String summary, List<Route.Param> query, Route.Handler handler) {
    return new Route(
        "POST", "/alerts/" + name, ADMIN, summary, query, Views.Outcome.class, handler);
  }

  private static String optional(Call call, String name) throws ApiException {
    return call.query().getOrDefault(name, "").isEmpty() ? "" : call.text(name);
  }

  private String rule(Call call) throws ApiException {
    String rule = call.text("rule");
    if (!alerts.ruleNames().contains(rule)) {
      throw new ApiException(404, "there is no rule " + rule + ", or its keys turn it off");
    }
    return rule;
  }

  private Views.Outcome acknowledge(Call call) throws ApiException {
    String rule = rule(call);
    List<Alert> taken =
        alerts.acknowledge(
            rule, optional(call, "fingerprint"), call.viewer().user(), optional(call, "comment"));
    if (taken.isEmpty()) {
      throw new ApiException(404, "no such alert of " + rule + " fires now");
    }
    return new Views.Outcome(
        "acknowledge",
        rule,
        taken.size()
            + (taken.size() == 1 ? " alert is" : " alerts are")
            + " acknowledged until resolved."
            + kept());
  }

  private Views.Outcome mute(Call call) throws ApiException {
    String rule = rule(call);
    long minutes = call.number("minutes", 60, 1, MAX_MUTE_MINUTES);
    Map<String, String> labels = new TreeMap<>();
    String label = optional(call, "label");
    if (!label.isEmpty()) {
      int equals = label.indexOf('=');
      if (equals < 1) {
        throw new ApiException(400, "the parameter label is not of the form name=value");
      }
      labels.put(label.substring(0, equals), label.substring(equals + 1));
    }
    Mute mute =
        alerts.mute(
            rule, labels, minutes * 60_000, call.viewer().user(), optional(call, "comment"));
    return new Views.Outcome(
        "mute",
        mute.id(),
        rule
            + (label.isEmpty() ? "" : " of " + label)
            + " is muted for "
            + minutes
            + " min."
            + kept());
  }

  private Views.Outcome unmute(Call call) throws ApiException {
    String id = call.text("mute");
    Mute mute = alerts.unmute(id, call.viewer().user());
    if (mute == null) {
      throw new ApiException(404, "there is no mute " + id + "; it may have ended");
    }
    return new Views.Outcome("unmute", id, mute.rule() + " is no longer muted." + kept());
  }

  private String kept() {
    String trouble = alerts.snapshot().trouble();
    return trouble.isEmpty() ? "" : " " + trouble;
  }

  private Views.Outcome test(Call call) throws ApiException, InterruptedException {
    Map<String, String> outcomes = alerts.test();
    if (outcomes.isEmpty()) {
      throw new ApiException(
          404, "no channel is configured (" + AlertKeys.WEBHOOK + ", " + AlertKeys.MAIL_HOST + ")");
    }
    StringBuilder said = new StringBuilder();
    outcomes.forEach(
        (channel, error) ->
            said.append(said.length() == 0 ? "" : " ")
                .append(channel)
                .append(error.isEmpty() ? ": delivered." : ": " + error + "."));
    if (outcomes.values().stream().anyMatch(error -> !error.isEmpty())) {
      throw new ApiException(502, said.toString());
    }
    return new Views.Outcome("test", "", said.toString());
  }
}
