// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.logging.FileHandler;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.mammoth.engine.isolation.standins.PartCalls;
import org.mammoth.engine.isolation.standins.Replaces;
import org.xml.sax.InputSource;

/**
 * How rewritten code names files in other ways than by a path: a name that is relative means the
 * task's folder. In a plain {@code new} the name is resolved on its way in; the stand-ins serve
 * method references. Stateless, thread-safe.
 */
public final class NameCalls {
  private static final String FILE = "file:";

  private NameCalls() {}

  /** A URL's text: {@code file:x} names a file of the task's folder. */
  public static String url(String spec) {
    if (spec == null || !spec.startsWith(FILE) || spec.startsWith(FILE + "/")) {
      PartCalls.protocol(spec);
      return spec;
    }
    return FILE + FileCalls.name(spec.substring(FILE.length()));
  }

  /** A system id of an XML document: a URI, or a name that stands for a file's. */
  public static String systemId(String id) {
    if (id == null || id.isEmpty() || id.startsWith("/") || id.matches("\\w+:.*")) {
      return url(id);
    }
    String path = FileCalls.name(id);
    return path.equals(id) ? id : new File(path).toURI().toString();
  }

  /** A pattern of a file handler: those that begin with a placeholder are absolute. */
  public static String pattern(String pattern) {
    return pattern == null || pattern.startsWith("%") ? pattern : FileCalls.name(pattern);
  }

  @Replaces(value = URL.class, constructor = true)
  public static URL newUrl(String spec) throws MalformedURLException {
    return new URL(url(spec));
  }

  @Replaces(value = InputSource.class, constructor = true)
  public static InputSource newInputSource(String id) {
    return new InputSource(systemId(id));
  }

  @Replaces(value = StreamSource.class, constructor = true)
  public static StreamSource newStreamSource(String id) {
    return new StreamSource(systemId(id));
  }

  @Replaces(value = StreamResult.class, constructor = true)
  public static StreamResult newStreamResult(String id) {
    return new StreamResult(systemId(id));
  }

  @Replaces(value = FileHandler.class, constructor = true)
  public static FileHandler newFileHandler(String pattern) throws IOException {
    return new FileHandler(pattern(pattern));
  }

  @Replaces(value = FileHandler.class, constructor = true)
  public static FileHandler newFileHandler(String pattern, boolean append) throws IOException {
    return new FileHandler(pattern(pattern), append);
  }

  @Replaces(value = FileHandler.class, constructor = true)
  public static FileHandler newFileHandler(String pattern, int limit, int count)
      throws IOException {
    return new FileHandler(pattern(pattern), limit, count);
  }

  @Replaces(value = FileHandler.class, constructor = true)
  public static FileHandler newFileHandler(String pattern, int limit, int count, boolean append)
      throws IOException {
    return new FileHandler(pattern(pattern), limit, count, append);
  }

  @Replaces(value = FileHandler.class, constructor = true)
  public static FileHandler newFileHandler(String pattern, long limit, int count, boolean append)
      throws IOException {
    return new FileHandler(pattern(pattern), limit, count, append);
  }

  /** The arguments after the pattern, while that is resolved. */
  public static long[] hold(int limit, int count, boolean append) {
    return hold((long) limit, count, append);
  }

  /** The arguments after the pattern, while that is resolved. */
  public static long[] hold(long limit, int count, boolean append) {
    return new long[] {limit, count, append ? 1 : 0};
  }

  /** What resolves the first argument of a constructor of a class, by internal name. */
  public static String resolverOf(String owner) {
    switch (owner) {
      case "java/net/URL":
        return "url";
      case "org/xml/sax/InputSource":
      case "javax/xml/transform/stream/StreamSource":
      case "javax/xml/transform/stream/StreamResult":
        return "systemId";
      case "java/util/logging/FileHandler":
        return "pattern";
      default:
        return null;
    }
  }
}
