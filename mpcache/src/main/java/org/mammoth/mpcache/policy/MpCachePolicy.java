// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The scheme of the mpCache paper (Wang et al. 2016, §3.3): whole data sets come and go. A newcomer
 * is admitted when there is room for all of it, or when it has been seen before and 1/(Size·Δ)
 * exceeds the sum over the sets it would displace. The set with the least priority Full + Clock +
 * Fr leaves first; Clock rises to the priority of what left, so that fame ages.
 *
 * <p>Where the paper is silent: a set never displaces itself; a node's need is met only by sets
 * with blocks on that node; Clock never falls; a set that loses a block loses the bonus but not its
 * age; what a round has displaced already is counted against it when it must displace more.
 */
public final class MpCachePolicy implements ReplacementPolicy {

  /** Which distance counts for a set that may be displaced. */
  public enum VictimDistance {
    /** The one at its last access, as the paper defines it. */
    LAST_SEEN,
    /**
     * That, or the accesses since then if they are more: a set that is read no more loses worth.
     */
    AGED
  }

  private final AdmissionFacility facility;
  private final double bonusValue;
  private final VictimDistance victimDistance;
  private final TreeSet<DataSet> queue =
      new TreeSet<>(
          Comparator.comparingDouble((DataSet set) -> set.priority)
              .thenComparingLong(DataSet::order));
  private double clock;

  /**
   * @param facility tells how many accesses there were
   * @param bonusValue Full of a set that is wholly cached, not negative
   */
  public MpCachePolicy(
      AdmissionFacility facility, double bonusValue, VictimDistance victimDistance) {
    if (!(bonusValue >= 0)) {
      throw new IllegalArgumentException(
          "the bonus of a complete data set is "
              + bonusValue
              + ", it must not be negative (mammoth.mpcache.bonus)");
    }
    this.facility = facility;
    this.bonusValue = bonusValue;
    this.victimDistance = victimDistance;
  }

  @Override
  public String name() {
    return "mpcache";
  }

  @Override
  public Admission admit(DataSet set, long missing, long available) {
    set.spent = 0;
    if (missing <= available) {
      return set.pinned() ? Admission.PINNED : Admission.FITS;
    }
    if (set.accesses() < 2 && !set.pinned()) {
      return Admission.NOT_RECORDED;
    }
    double displaced = 0;
    long freed = available;
    for (DataSet victim : queue) {
      if (victim == set || victim.pinned()) {
        continue;
      }
      displaced += worthOfVictim(victim);
      if (!set.pinned() && worth(set, set.distance()) <= displaced) {
        return Admission.NOT_PROFITABLE;
      }
      freed += victim.copyBytes();
      if (missing <= freed) {
        return set.pinned() ? Admission.PINNED : Admission.PROFITABLE;
      }
    }
    return Admission.TOO_LARGE;
  }

  @Override
  public void hit(CachedBlock copy) {
    place(copy.dataSet());
  }

  @Override
  public void stored(CachedBlock copy) {
    place(copy.dataSet());
  }

  /** Equation (2). */
  private void place(DataSet set) {
    unqueue(set);
    set.bonus = set.complete() ? bonusValue : 0;
    set.priority = set.bonus + clock + set.frequency();
    enqueue(set);
  }

  private void enqueue(DataSet set) {
    set.queued = true;
    queue.add(set);
  }

  private void unqueue(DataSet set) {
    if (set.queued) {
      queue.remove(set);
      set.queued = false;
    }
  }

  @Override
  public void removed(CachedBlock copy) {
    DataSet set = copy.dataSet();
    if (!set.queued) {
      return;
    }
    if (!set.cached()) {
      unqueue(set);
    } else if (set.bonus > 0 && !set.complete()) {
      unqueue(set);
      set.priority -= set.bonus;
      set.bonus = 0;
      enqueue(set);
    }
  }

  @Override
  public List<CachedBlock> victims(DataSet newcomer, int node, long bytes) {
    boolean free = newcomer == null || newcomer.pinned();
    if (!free && newcomer.accesses() < 2) {
      return List.of();
    }
    List<DataSet> chosen = new ArrayList<>();
    double displaced = newcomer == null ? 0 : newcomer.spent;
    long freed = 0;
    for (DataSet victim : queue) {
      if (freed >= bytes) {
        break;
      }
      long onNode = victim == newcomer || victim.pinned() ? 0 : victim.bytesOn(node);
      if (onNode > 0) {
        displaced += worthOfVictim(victim);
        if (!free && worth(newcomer, newcomer.distance()) <= displaced) {
          return List.of();
        }
        chosen.add(victim);
        freed += onNode;
      }
    }
    if (newcomer != null && freed < bytes) {
      return List.of();
    }
    if (newcomer != null) {
      newcomer.spent = displaced;
    }
    return leave(chosen);
  }

  private List<CachedBlock> leave(List<DataSet> chosen) {
    List<CachedBlock> copies = new ArrayList<>();
    for (DataSet victim : chosen) {
      clock = Math.max(clock, victim.priority);
      unqueue(victim);
      victim.forEachCopy(copies::add);
    }
    return copies;
  }

  private double worthOfVictim(DataSet victim) {
    double since = facility.accesses() - victim.lastAccess() - 1;
    return worth(
        victim,
        victimDistance == VictimDistance.AGED
            ? Math.max(victim.distance(), since)
            : victim.distance());
  }

  private static double worth(DataSet set, double distance) {
    return 1 / (set.sizeBlocks() * distance);
  }

  /** Clock: the highest priority of any set that was displaced, 0 at first. */
  public double clock() {
    return clock;
  }
}
