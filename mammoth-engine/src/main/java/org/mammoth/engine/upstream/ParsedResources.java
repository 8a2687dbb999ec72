// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.thirdparty.com.google.common.cache.Cache;
import org.apache.hadoop.thirdparty.com.google.common.cache.CacheBuilder;
import org.codehaus.stax2.XMLStreamReader2;

/**
 * Lets upstream's {@link Configuration} read each file of settings on the class path once. A JVM
 * that runs many jobs makes a configuration for each, several times over, and upstream parses the
 * same defaults and site files anew: a third of what a warm ApplicationMaster's start costs.
 *
 * <p>What is kept is what the parser says, token by token. Which properties that makes, which are
 * deprecated, final or included, is decided by upstream each time. A file is looked at each time,
 * too, and read again if it is another one.
 */
public final class ParsedResources {

  /** The class that is changed. */
  public static final String CONFIGURATION = "org/apache/hadoop/conf/Configuration";

  private static final String PARSE = "parse";

  private static final OwnCalls PARSING =
      new OwnCalls(
          ParsedResources.class,
          CONFIGURATION,
          Set.of(PARSE + "(Ljava/net/URL;Z)Ljavax/xml/stream/XMLStreamReader;"),
          Set.of());

  /** Characters of the names and texts of all documents together. */
  private static final long MOST_CHARACTERS = 16L << 20;

  private ParsedResources() {}

  /** Upstream's own way; asked for when the rewritten class, not this one, is first used. */
  private static final class Upstream {
    static final MethodHandle PARSER;

    static {
      try {
        PARSER =
            MethodHandles.privateLookupIn(Configuration.class, MethodHandles.lookup())
                .findVirtual(
                    Configuration.class,
                    PARSE,
                    MethodType.methodType(XMLStreamReader.class, URL.class, boolean.class));
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    /** What this JVM has parsed; the same for all tasks, as it depends on files alone. */
    static final Cache<ResourceStamp, XmlTokens> KEPT =
        CacheBuilder.newBuilder()
            .maximumWeight(MOST_CHARACTERS)
            .weigher((ResourceStamp stamp, XmlTokens tokens) -> tokens.characters())
            .build();

    private Upstream() {}
  }

  /** The class with its calls of its parser replaced; nothing if it is made otherwise. */
  public static Optional<byte[]> rewrite(byte[] original) {
    return PARSING.rewrite(original);
  }

  /**
   * A reader of the tokens of a file.
   *
   * @param restricted whether the parser may follow references, as upstream decided
   */
  public static XMLStreamReader parse(Configuration conf, URL url, boolean restricted)
      throws IOException, XMLStreamException {
    Optional<ResourceStamp> stamp = ResourceStamp.of(url, restricted);
    if (stamp.isPresent()) {
      XmlTokens kept = Upstream.KEPT.getIfPresent(stamp.get());
      if (kept != null) {
        return new TokenReplay(kept);
      }
    }
    XMLStreamReader reader = asUpstream(conf, url, restricted);
    return stamp.isPresent() && reader instanceof XMLStreamReader2 tokens
        ? new TokenRecorder(tokens, made -> keep(url, stamp.get(), made))
        : reader;
  }

  /** Keeps what was read of a file, if it is still the same and will not change unnoticed. */
  private static void keep(URL url, ResourceStamp stamp, XmlTokens tokens) {
    boolean isStill = ResourceStamp.of(url, stamp.restricted()).equals(Optional.of(stamp));
    if (isStill && stamp.hasSettled(System.currentTimeMillis())) {
      Upstream.KEPT.put(stamp, tokens);
    }
  }

  private static XMLStreamReader asUpstream(Configuration conf, URL url, boolean restricted)
      throws IOException, XMLStreamException {
    try {
      return (XMLStreamReader) Upstream.PARSER.invokeExact(conf, url, restricted);
    } catch (IOException | XMLStreamException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("Configuration's parser threw what it does not declare", e);
    }
  }
}
