// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * One state of a file of settings: what is read of it is the same as long as the stamp is.
 *
 * @param url of the file, or of an entry of a jar
 * @param restricted how it is parsed
 * @param fileKey tells the file from another one of the same path; null where there are no such
 */
record ResourceStamp(String url, boolean restricted, long bytes, FileTime changed, Object fileKey) {

  /** Within this time a file may change twice and show the same time of change. */
  private static final long COARSEST_CLOCK_MS = 2_000;

  private static final String JAR = "jar:";
  private static final String ENTRY = "!/";

  /** The stamp of what a URL names now; nothing for what is in no local file. */
  static Optional<ResourceStamp> of(URL url, boolean restricted) {
    if (url == null) {
      return Optional.empty();
    }
    String name = url.toString();
    try {
      Path file = file(name);
      if (file == null) {
        return Optional.empty();
      }
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.isRegularFile()
          ? Optional.of(
              new ResourceStamp(
                  name, restricted, now.size(), now.lastModifiedTime(), now.fileKey()))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      // Upstream says what is wrong with it.
      return Optional.empty();
    }
  }

  /** The local file of {@code file:/a} or {@code jar:file:/a.jar!/b}; null for any other. */
  private static Path file(String url) {
    int entry = url.indexOf(ENTRY);
    boolean ofJar = url.startsWith(JAR) && entry > 0 && entry == url.lastIndexOf(ENTRY);
    String of = ofJar ? url.substring(JAR.length(), entry) : url;
    return of.startsWith("file:/") ? Path.of(URI.create(of)) : null;
  }

  /** Whether a change from now on will show. */
  boolean hasSettled(long nowMs) {
    return nowMs - changed.toMillis() > COARSEST_CLOCK_MS;
  }
}
