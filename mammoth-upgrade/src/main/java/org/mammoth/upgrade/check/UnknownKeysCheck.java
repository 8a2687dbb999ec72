// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.util.List;
import org.mammoth.config.names.KnownKeys;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.SiteConfig;

/** Keys that somebody has set and no part of Mammoth reads. */
final class UnknownKeysCheck {

  private UnknownKeysCheck() {}

  static List<Finding> check(HadoopTree tree) throws IOException {
    SiteConfig conf = tree.siteFiles();
    KnownKeys known = KnownKeys.ofRelease();
    return conf.keys(KnownKeys.PREFIX).stream()
        .flatMap(name -> known.complaint(name).map(what -> finding(conf, name, what)).stream())
        .toList();
  }

  private static Finding finding(SiteConfig conf, String name, String what) {
    return Finding.warning(
        "unknown-key",
        name + " in " + conf.origin(name).orElseThrow() + " " + what,
        "correct its name, or remove it");
  }
}
