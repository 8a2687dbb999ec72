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

/** In a process of its own, since other tests may have loaded the reader already. */
class LineReadersTest {

  /** Reads two lines as an engine does and prints them with who has asked for their bytes. */
  static final class Reading {
    public static void main(String[] arguments) throws IOException {
      LineReaders.install();
      Asked in = new Asked("first\nsecond\n".getBytes(StandardCharsets.UTF_8));
      LineReader reader = new LineReader(in);
      Text line = new Text();
      reader.readLine(line);
      String first = line.toString();
      reader.readLine(line);
      System.out.println(first + " " + line + " " + (in.byOurs ? "fast" : "as upstream"));
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
      byOurs =
          StackWalker.getInstance()
              .walk(
                  frames ->
                      frames.anyMatch(f -> f.getClassName().equals(FastLines.class.getName())));
      return super.read(into);
    }
  }

  @Test
  void anEngineReadsLinesWithOurs() throws IOException, InterruptedException {
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
    assertThat(said.lines()).contains("first second fast");
  }
}
