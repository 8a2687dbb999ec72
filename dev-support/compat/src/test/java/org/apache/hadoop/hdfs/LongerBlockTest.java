// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.net.unix.DomainSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stream of a task in an engine ends where its file ends, also where the last block is longer.
 */
class LongerBlockTest {

  private static final int LINE = 10;
  private static final int LINES = 1_000;
  private static final int APPENDED = 5_000;

  @TempDir private static java.nio.file.Path folder;

  private static MiniDFSCluster cluster;

  /** Opens files as tasks of an engine do. */
  public static final class EngineFiles extends DistributedFileSystem {
    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
      DFSClient client = getClient();
      String file = path.toUri().getPath();
      return client.createWrappedInputStream(
          new EngineInputStream(
              client, file, true, client.getLocatedBlocks(file, 0), null, null, null));
    }
  }

  /** A way to read all of a file. */
  private interface Reading {
    String of(FSDataInputStream in) throws IOException;
  }

  @BeforeAll
  static void start() throws Exception {
    DomainSocket.disableBindPathValidation();
    Configuration conf = new HdfsConfiguration();
    if (domainSockets()) {
      conf.setBoolean("dfs.client.read.shortcircuit", true);
      conf.set("dfs.domain.socket.path", folder.resolve("dn._PORT").toString());
    }
    cluster = new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile()).build();
    cluster.waitActive();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  /** Only with Hadoop's native library. */
  private static boolean domainSockets() {
    return DomainSocket.getLoadingFailureReason() == null;
  }

  private static Configuration client(boolean shortCircuit) {
    assumeTrue(!shortCircuit || domainSockets());
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.setBoolean("dfs.client.read.shortcircuit", shortCircuit);
    conf.set("dfs.client.context", "short-circuit " + shortCircuit);
    conf.setClass("fs.hdfs.impl", EngineFiles.class, FileSystem.class);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    return conf;
  }

  private static String lines(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(i -> String.format("line %04d\n", i))
        .collect(Collectors.joining());
  }

  /** A file of one block with {@link #LINES} lines. */
  private static Path write(String name) throws IOException {
    Path file = new Path("/" + name + "/f");
    try (OutputStream out = cluster.getFileSystem().create(file)) {
      out.write(lines(0, LINES).getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  private static void append(Path file) throws IOException {
    try (OutputStream out = cluster.getFileSystem().append(file)) {
      out.write(lines(LINES, APPENDED).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The file as it was, in a snapshot, with one block that has what was appended since. */
  private static Path snapshot(String name) throws IOException {
    Path file = write(name);
    cluster.getFileSystem().allowSnapshot(file.getParent());
    cluster.getFileSystem().createSnapshot(file.getParent(), "s");
    append(file);
    return new Path(file.getParent(), ".snapshot/s/f");
  }

  private static String pieces(FSDataInputStream in, int piece) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] bytes = new byte[piece];
    for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
      all.write(bytes, 0, count);
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  private static String single(FSDataInputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int value = in.read(); value >= 0; value = in.read()) {
      all.write(value);
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  /** Short reads, a seek back, and short reads again. */
  private static String again(FSDataInputStream in) throws IOException {
    in.readFully(new byte[LINES * LINE - 5]);
    assertThat(single(in)).hasSize(5);
    in.seek(0);
    return pieces(in, 7);
  }

  private static List<Reading> ways() {
    return List.of(
        LongerBlockTest::single,
        LongerBlockTest::again,
        in -> pieces(in, 1),
        in -> pieces(in, 100),
        in -> pieces(in, 2_047),
        in -> pieces(in, 2_048),
        in -> pieces(in, 8_192),
        in -> new String(in.readAllBytes(), StandardCharsets.UTF_8));
  }

  @ParameterizedTest(name = "short-circuit {0}")
  @ValueSource(booleans = {false, true})
  void aFileInASnapshotHasNothingThatWasAppendedSince(boolean shortCircuit) throws Exception {
    Configuration conf = client(shortCircuit);
    Path file = snapshot("snapshot-" + shortCircuit);
    try (FileSystem fs = FileSystem.get(cluster.getURI(), conf)) {
      for (Reading way : ways()) {
        try (FSDataInputStream in = fs.open(file)) {
          assertThat(way.of(in)).isEqualTo(lines(0, LINES));
          assertThat(in.read()).isEqualTo(-1);
          assertThat(in.getPos()).isEqualTo(LINES * LINE);
          long past =
              ((HdfsDataInputStream) in).getReadStatistics().getTotalShortCircuitBytesRead();
          assertThat(past > 0).as("past the DataNode").isEqualTo(shortCircuit);
        }
      }
    }
  }

  /** Text input asks for one line more than its split has, with a buffer of 4 KiB. */
  @ParameterizedTest(name = "short-circuit {0}")
  @ValueSource(booleans = {false, true})
  void textOfASnapshotHasNoLineThatWasAppendedSince(boolean shortCircuit) throws Exception {
    Configuration conf = client(shortCircuit);
    Path file = snapshot("text-" + shortCircuit).makeQualified(cluster.getURI(), new Path("/"));
    TaskAttemptContext context = new TaskAttemptContextImpl(conf, new TaskAttemptID());
    FileSplit split = new FileSplit(file, 0, LINES * LINE, null);
    List<String> seen = new ArrayList<>();
    try (RecordReader<?, Text> reader = new TextInputFormat().createRecordReader(split, context)) {
      reader.initialize(split, context);
      while (reader.nextKeyValue()) {
        seen.add(reader.getCurrentValue().toString());
      }
    }
    assertThat(seen).containsExactly(lines(0, LINES).split("\n"));
  }

  /** Past the DataNode a reader has the file of the block, which an append writes into. */
  @ParameterizedTest(name = "short-circuit {0}")
  @ValueSource(booleans = {false, true})
  void whatIsAppendedAfterTheOpenIsNotSeen(boolean shortCircuit) throws Exception {
    Configuration conf = client(shortCircuit);
    int number = 0;
    try (FileSystem fs = FileSystem.get(cluster.getURI(), conf)) {
      for (Reading way : ways()) {
        Path file = write("open-" + shortCircuit + "-" + number++);
        try (FSDataInputStream in = fs.open(file)) {
          append(file);
          assertThat(way.of(in)).isEqualTo(lines(0, LINES));
        }
      }
    }
  }
}
