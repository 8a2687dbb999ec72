// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.List;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.Decision;
import org.mammoth.console.model.ElementSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.MemorySample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.TaskSample;

/** Takes out of a moment what a viewer may not see: names of other users' jobs and attempts. */
final class Masks {

  private static final String OTHER = "(another user's)";

  private final Moment moment;
  private final Viewer viewer;

  Masks(Moment moment, Viewer viewer) {
    this.moment = moment;
    this.viewer = viewer;
  }

  /** Whether the job is the viewer's, or the viewer sees all. */
  boolean job(String job) {
    if (viewer.all()) {
      return true;
    }
    JobUse use = moment.uses().get(job);
    String listed = moment.view().userOf(job);
    return viewer.user().equals(listed.isEmpty() && use != null ? use.user() : listed);
  }

  boolean attempt(String attempt) {
    String[] part = attempt.split("_");
    return viewer.all() || part.length == 6 && job("job_" + part[1] + "_" + part[2]);
  }

  NodeState node(NodeState node) {
    if (viewer.all() || node.sample() == null) {
      return node;
    }
    NodeSample sample = node.sample();
    return new NodeState(
        node.id(),
        node.host(),
        node.rack(),
        node.nodeManager(),
        node.dataNode(),
        node.yarnState(),
        node.version(),
        node.reach(),
        node.reason(),
        node.triedMs(),
        new NodeSample(
            sample.timeMs(),
            sample.atMs(),
            sample.enabled(),
            sample.shareMb(),
            sample.admittedMb(),
            sample.admittedTasks(),
            sample.fallbacks(),
            sample.fallbackReasons(),
            List.of(),
            sample.ended(),
            sample.host(),
            sample.engines().stream().map(this::engine).toList()),
        node.cache(),
        node.cacheUntold(),
        node.dfs());
  }

  private EngineSample engine(EngineSample e) {
    MemorySample m = e.memory();
    MemorySample own =
        new MemorySample(
            m.cap(),
            m.used(),
            m.unit(),
            m.poolBytes(),
            m.poolLimit(),
            m.poolUsed(),
            m.ioBeside(),
            m.byKind(),
            m.sortBuffer(),
            m.mapQuota(),
            m.borrowed(),
            m.reduceQuota(),
            m.runningMaps(),
            m.pressure(),
            m.nextDecision(),
            m.decisionsByRule(),
            m.leases().stream().filter(row -> job(row.job())).toList(),
            m.jobs().stream().filter(row -> job(row.job())).toList(),
            m.reduces().stream().filter(row -> attempt(row.attempt())).toList(),
            m.waiters().stream().filter(row -> attempt(row.attempt())).toList());
    ElementSample elements =
        new ElementSample(
            e.elements().slab(),
            e.elements().slabs(),
            e.elements().lent(),
            e.elements().shares().stream().filter(row -> job(row.job())).toList());
    List<TaskSample> tasks = e.tasks().stream().filter(task -> job(task.job())).toList();
    return new EngineSample(
        e.id(),
        viewer.sees(e.user()) ? e.user() : OTHER,
        e.pid(),
        e.role(),
        e.open(),
        e.ageMs(),
        e.problem(),
        e.draining(),
        e.startedMs(),
        e.counts(),
        e.jvm(),
        own,
        elements,
        e.send(),
        e.disks(),
        tasks);
  }

  Decision decision(Decision d) {
    if (viewer.all()) {
      return d;
    }
    boolean own = d.attempt().isEmpty() || attempt(d.attempt());
    boolean ownVictim = d.victim().isEmpty() || attempt(d.victim());
    return new Decision(
        d.engine(),
        d.sequence(),
        d.timeMs(),
        d.action(),
        own ? d.attempt() : OTHER,
        own ? d.job() : "",
        own ? d.user() : "",
        d.kind(),
        d.bytes(),
        d.rule(),
        ownVictim ? d.victimJob() : "",
        ownVictim ? d.victim() : OTHER,
        d.waitedMs());
  }
}
