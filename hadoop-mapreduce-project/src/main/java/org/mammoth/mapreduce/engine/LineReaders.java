package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.util.ReflectionUtils;
import org.mammoth.engine.upstream.FastLines;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has upstream's readers of text find the ends of lines faster; see {@link FastLines}. */
final class LineReaders {

  private static final Logger LOG = LoggerFactory.getLogger(LineReaders.class);

  private static final UpstreamClass READER =
      new UpstreamClass(ReflectionUtils.class, "LineReader");

  private LineReaders() {}

  /** Does so, or leaves them as they are. Call once, before any task. */
  static void install() {
    try {
      Optional<byte[]> faster = FastLines.rewrite(READER.code());
      if (faster.isEmpty()) {
        LOG.warn("This Hadoop reads lines otherwise; they are read by it, more slowly");
      } else {
        READER.define(faster.get());
      }
    } catch (IOException | IllegalAccessException | LinkageError e) {
      LOG.warn("Lines are read by Hadoop, more slowly", e);
    }
  }
}
