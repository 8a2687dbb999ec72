package org.mammoth.mapreduce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.upstream.FastLines;
import org.mammoth.engine.upstream.FastText;

/** In a process of its own, since other tests may have loaded upstream's classes already. */
class FastRecordsTest {

  /** Reads two lines as an engine does and prints them with what the classes are made of. */
  static final class Reading {
    public static void main(String[] arguments) throws IOException {
      FastRecords.install();
      Asked in = new Asked("first\nsecond\n".getBytes(StandardCharsets.UTF_8));
      LineReader reader = new LineReader(in);
      Text line = new Text();
      reader.readLine(line);
      String first = line.toString();
      reader.readLine(line);
      System.out.println(first + " " + line + (in.byOurs ? " by ours" : " by upstream's"));
      try {
        new Text((String) null);
      } catch (NullPointerException e) {
        String place = e.getStackTrace()[0].getClassName();
        System.out.println("text " + (place.equals(FastText.class.getName()) ? "by ours" : place));
      }
    }

    private Reading() {}
  }

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

  @Test
  void anEngineReadsLinesAndTextsWithOurs() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Reading.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(said.lines()).contains("first second by ours", "text by ours");
  }
}
