// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mammoth.engine.isolation.loading.SharedJars;

/**
 * Tells classes of jars that administrators have tasks share, by {@code
 * mammoth.engine.shared-jars}, from those of the release. Thread-safe.
 */
final class AddedJars {

  private final Map<String, Boolean> known = new ConcurrentHashMap<>();

  /** Whether a class of a domain is of such a jar. */
  boolean has(ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL location = source == null ? null : source.getLocation();
    return location != null && known.computeIfAbsent(location.getPath(), AddedJars::isAdded);
  }

  private static boolean isAdded(String path) {
    return path.endsWith(".jar") && !SharedJars.isJudged(path.substring(path.lastIndexOf('/') + 1));
  }
}
