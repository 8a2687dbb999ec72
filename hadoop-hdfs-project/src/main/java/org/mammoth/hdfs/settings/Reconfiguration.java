// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationUtil;
import org.mammoth.config.ConfigKey;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache's part in {@code hdfs dfsadmin -reconfig}. A daemon's list of changeable keys is
 * upstream's own and takes no others, but the object that compares the configuration read anew with
 * the one in force can be set ({@code ReconfigurableBase}). This one gives the cache what is the
 * cache's, and upstream the rest.
 *
 * <p>All of the cache's changes are taken up, or none. Upstream's answer to {@code -reconfig ...
 * status} has no place for them: {@link #last} has, and the daemon's log.
 *
 * <p>For the one thread of a reconfiguration; {@link #last} for any.
 */
public final class Reconfiguration extends ReconfigurationUtil {

  private static final Logger LOG = LoggerFactory.getLogger(Reconfiguration.class);
  private static final String OURS = "mammoth.mpcache.";

  private final List<String> changeable;
  private final Consumer<Configuration> target;
  private volatile String last = "";

  /**
   * @param changeable keys the target takes up at run time
   * @param target is given the whole configuration that shall be in force; it throws
   *     IllegalArgumentException before it changes anything, or changes all
   */
  public Reconfiguration(List<ConfigKey<?>> changeable, Consumer<Configuration> target) {
    this.changeable = changeable.stream().map(ConfigKey::name).toList();
    this.target = target;
  }

  /** What the last reconfiguration that concerned the cache came to; "" before the first. */
  public String last() {
    return last;
  }

  @Override
  public Collection<PropertyChange> parseChangedProperties(Configuration read, Configuration now) {
    Collection<PropertyChange> changes = super.parseChangedProperties(read, now);
    Map<String, PropertyChange> ours = new TreeMap<>();
    List<PropertyChange> others = new ArrayList<>();
    for (PropertyChange change : changes) {
      if (change.prop.startsWith(OURS)) {
        ours.put(change.prop, change);
      } else {
        others.add(change);
      }
    }
    if (!ours.isEmpty()) {
      // Upstream's thread must survive whatever goes wrong here, or it never reconfigures again.
      try {
        last = change(ours.values(), read, now);
        LOG.info("The SSD cache is reconfigured: {}", last);
      } catch (RuntimeException e) {
        last = "refused, nothing of the SSD cache was changed: " + e.getMessage();
        LOG.error("A reconfiguration was {}", last);
      }
    }
    return others;
  }

  private String change(Collection<PropertyChange> changes, Configuration read, Configuration now) {
    for (ConfigKey<?> key : MpCacheKeys.all()) {
      key.get(read);
    }
    Map<Boolean, List<PropertyChange>> byKind =
        changes.stream().collect(Collectors.partitioningBy(c -> changeable.contains(c.prop)));
    List<PropertyChange> taken = byKind.get(true);
    if (!taken.isEmpty()) {
      Configuration next = new Configuration(now);
      taken.forEach(change -> put(change, next));
      target.accept(next);
      taken.forEach(change -> put(change, now));
    }
    return taken.stream()
            .map(c -> c.prop + " from " + shown(c.oldVal) + " to " + shown(c.newVal))
            .collect(Collectors.joining(", ", "changed: ", ""))
        + byKind.get(false).stream()
            .map(change -> change.prop)
            .collect(Collectors.joining(", ", "; not taken up by this daemon at run time: ", ""));
  }

  private static void put(PropertyChange change, Configuration into) {
    if (change.newVal == null) {
      into.unset(change.prop);
    } else {
      into.set(change.prop, change.newVal);
    }
  }

  private static String shown(String value) {
    return value == null ? "its default" : "'" + value + "'";
  }
}
