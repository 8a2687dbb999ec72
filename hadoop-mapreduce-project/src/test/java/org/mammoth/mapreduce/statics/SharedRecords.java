// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;
import org.mammoth.engine.upstream.FastLines;
import org.mammoth.engine.upstream.FastText;

/** Reads lines and texts as a task does, and looks whose code does it. */
final class SharedRecords {

  private SharedRecords() {}

  private static final class Asked extends ByteArrayInputStream {
    private boolean byOurs;

    Asked(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int read(byte[] into) throws IOException {
      String ours = FastLines.class.getName();
      byOurs =
          StackWalker.getInstance()
              .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(ours)));
      return super.read(into);
    }
  }

  static void check() throws IOException {
    Asked in = new Asked("first\nsecond\n".getBytes(StandardCharsets.UTF_8));
    LineReader reader = new LineReader(in);
    Text line = new Text();
    reader.readLine(line);
    same("first", line.toString());
    reader.readLine(line);
    same("second", line.toString());
    same(true, in.byOurs);
    String coder = "nobody";
    try {
      new Text((String) null);
    } catch (NullPointerException e) {
      coder = e.getStackTrace()[0].getClassName();
    }
    same(FastText.class.getName(), coder);
  }

  private static void same(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError(found + " instead of " + expected);
    }
  }
}
