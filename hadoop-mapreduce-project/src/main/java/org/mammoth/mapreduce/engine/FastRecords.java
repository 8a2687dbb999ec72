package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.util.ReflectionUtils;
import org.mammoth.engine.upstream.FastLines;
import org.mammoth.engine.upstream.FastText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has upstream's classes that most records pass do their work faster: those that read lines, and
 * texts; see {@link FastLines} and {@link FastText}.
 */
final class FastRecords {

  private static final Logger LOG = LoggerFactory.getLogger(FastRecords.class);

  private FastRecords() {}

  /**
   * Does so, or leaves them as they are. Call once, before anything else of Hadoop's is used: most
   * of it uses texts.
   */
  static void install() {
    install(new UpstreamClass(Writable.class, "Text"), FastText::rewrite, "Texts are made");
    install(
        new UpstreamClass(ReflectionUtils.class, "LineReader"),
        FastLines::rewrite,
        "Lines are read");
  }

  private static void install(
      UpstreamClass type, Function<byte[], Optional<byte[]>> faster, String what) {
    try {
      Optional<byte[]> code = faster.apply(type.code());
      if (code.isEmpty()) {
        LOG.warn("{} by Hadoop, more slowly: this one does it otherwise than is known here", what);
      } else {
        type.define(code.get());
      }
    } catch (IOException | IllegalAccessException | LinkageError e) {
      LOG.warn("{} by Hadoop, more slowly", what, e);
    }
  }
}
