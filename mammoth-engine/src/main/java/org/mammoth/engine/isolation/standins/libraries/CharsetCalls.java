// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.charset.spi.CharsetProvider;
import java.util.Iterator;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of asking for a charset by name: the JDK looks for providers
 * where the engine's classes are, and a job's jar may name one. Stateless, thread-safe.
 *
 * <p>Strings and streams that are made with a charset's name find the JDK's alone.
 */
public final class CharsetCalls {
  private CharsetCalls() {}

  /** {@code Charset.forName}. */
  @Replaces(Charset.class)
  public static Charset forName(String name) {
    try {
      return Charset.forName(name);
    } catch (UnsupportedCharsetException e) {
      Charset ofJob = ofJob(name);
      if (ofJob == null) {
        throw e;
      }
      return ofJob;
    }
  }

  /**
   * {@code Charset.isSupported}.
   *
   * @throws IllegalCharsetNameException as the JDK does
   */
  @Replaces(Charset.class)
  public static boolean isSupported(String name) {
    return Charset.isSupported(name) || ofJob(name) != null;
  }

  /** {@code Charset.availableCharsets}. */
  @Replaces(Charset.class)
  public static SortedMap<String, Charset> availableCharsets() {
    SortedMap<String, Charset> all = Charset.availableCharsets();
    ClassLoader loader = loader();
    if (loader == null) {
      return all;
    }
    SortedMap<String, Charset> withJobs = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    withJobs.putAll(all);
    for (CharsetProvider provider : ServiceLoader.load(CharsetProvider.class, loader)) {
      for (Iterator<Charset> each = provider.charsets(); each.hasNext(); ) {
        Charset charset = each.next();
        withJobs.putIfAbsent(charset.name(), charset);
      }
    }
    return withJobs;
  }

  private static ClassLoader loader() {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? null : process.loader();
  }

  private static Charset ofJob(String name) {
    ClassLoader loader = loader();
    if (loader != null) {
      for (CharsetProvider provider : ServiceLoader.load(CharsetProvider.class, loader)) {
        Charset charset = provider.charsetForName(name);
        if (charset != null) {
          return charset;
        }
      }
    }
    return null;
  }
}
