// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentWriter;

/** What we write, upstream reads, and so do we; what was damaged on the way is an error. */
class SegmentFormatTest {

  private static final String DEFAULT = "org.apache.hadoop.io.compress.DefaultCodec";
  private static final String GZIP = "org.apache.hadoop.io.compress.GzipCodec";
  private static final String BZIP2 = "org.apache.hadoop.io.compress.BZip2Codec";
  private static final String NO_COMPRESSOR =
      "org.mammoth.mapreduce.sort.SegmentFormatTest$NoCompressor";
  private static final int PARTITIONS = 4;

  /** Streams of its own and nothing for the pool: upstream then leaves the records plain. */
  public static final class NoCompressor extends DefaultCodec {
    @Override
    public Class<? extends Compressor> getCompressorType() {
      return Compressor.class;
    }

    @Override
    public Class<? extends Decompressor> getDecompressorType() {
      return Decompressor.class;
    }

    @Override
    public Compressor createCompressor() {
      return null;
    }

    @Override
    public Decompressor createDecompressor() {
      return null;
    }
  }

  @TempDir private Path dir;

  private static void configure(JobConf job, String codec, boolean encrypted) {
    if (codec != null) {
      job.setCompressMapOutput(true);
      job.set("mapreduce.map.output.compress.codec", codec);
    }
    job.setBoolean("mapreduce.job.encrypted-intermediate-data", encrypted);
  }

  private static <T> T asUserWithKey(PrivilegedExceptionAction<T> action) throws Exception {
    UserGroupInformation user = UserGroupInformation.createRemoteUser("ann");
    byte[] key = new byte[16];
    new Random(8).nextBytes(key);
    Credentials secrets = new Credentials();
    TokenCache.setEncryptedSpillKey(key, secrets);
    user.addCredentials(secrets);
    return user.doAs(action);
  }

  /** Keys and values of each partition, one after the other; the second is empty. */
  private static List<List<byte[]>> records() {
    Random random = new Random(6);
    List<List<byte[]>> all = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<byte[]> parts = new ArrayList<>();
      for (int left = partition == 1 ? 0 : 300; left > 0; left--) {
        byte[] body = new byte[random.nextInt(20)];
        random.nextBytes(body);
        byte[] key = new byte[4 + body.length];
        key[3] = (byte) body.length;
        System.arraycopy(body, 0, key, 4, body.length);
        parts.add(key);
        parts.add(new byte[random.nextInt(random.nextInt(40) == 0 ? 5_000 : 60)]);
      }
      all.add(parts);
    }
    return all;
  }

  private static MapOutputWriter write(SortFixture f, List<List<byte[]>> records)
      throws IOException {
    MapOutputWriter output =
        new MapOutputWriter(
            f.job,
            f.files,
            new SegmentFormat(f.job),
            f.names.getOutputFileForWrite(1),
            PARTITIONS,
            f.attempt,
            IoClass.ACTIVE,
            f.memory.send());
    SegmentWriter writer = new SegmentWriter(1000);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<byte[]> parts = records.get(partition);
      writer.begin(output.begin(partition));
      for (int i = 0; i < parts.size(); i += 2) {
        byte[] key = parts.get(i);
        byte[] value = parts.get(i + 1);
        writer.append(key, 0, key.length, value, 0, value.length);
      }
      writer.end();
      output.end(partition, writer.rawBytes(), writer.records());
    }
    output.finish();
    return output;
  }

  private static List<byte[]> read(SegmentFormat format, byte[] segment) throws IOException {
    List<byte[]> parts = new ArrayList<>();
    try (SegmentCursor cursor =
        new SegmentCursor(
            KeyOrders.of(new BytesWritable.Comparator()),
            format.decode(new ByteArrayInputStream(segment), segment.length),
            "s",
            64,
            1 << 20)) {
      while (cursor.next()) {
        cursor.complete(new RecordSpace());
        parts.add(Arrays.copyOfRange(cursor.bytes(), cursor.keyAt(), cursor.valueAt()));
        parts.add(Arrays.copyOfRange(cursor.bytes(), cursor.valueAt(), cursor.end()));
      }
    }
    return parts;
  }

  private static List<byte[]> readAsUpstream(SortFixture f, Path file, long start, long length)
      throws IOException {
    CompressionCodec codec =
        f.job.getCompressMapOutput()
            ? ReflectionUtils.newInstance(
                f.job.getMapOutputCompressorClass(DefaultCodec.class), f.job)
            : null;
    List<byte[]> parts = new ArrayList<>();
    try (FSDataInputStream in = f.files.open(new org.apache.hadoop.fs.Path(file.toString()))) {
      in.seek(start);
      FSDataInputStream plain = CryptoUtils.wrapIfNecessary(f.job, in);
      IFile.Reader<BytesWritable, BytesWritable> reader =
          new IFile.Reader<>(f.job, plain, length - CryptoUtils.cryptoPadding(f.job), codec, null);
      DataInputBuffer key = new DataInputBuffer();
      DataInputBuffer value = new DataInputBuffer();
      while (reader.nextRawKey(key)) {
        reader.nextRawValue(value);
        parts.add(Arrays.copyOfRange(key.getData(), key.getPosition(), key.getLength()));
        parts.add(Arrays.copyOfRange(value.getData(), value.getPosition(), value.getLength()));
      }
    }
    return parts;
  }

  private void check(String codec, boolean encrypted) throws Exception {
    List<List<byte[]>> records = records();
    try (SortFixture f = new SortFixture(dir, 64)) {
      configure(f.job, codec, encrypted);
      MapOutputWriter output = write(f, records);
      Path file = Path.of(output.path().toUri().getPath());
      byte[] all = Files.readAllBytes(file);
      assertThat(output.records()).isEqualTo(900);
      assertThat(output.length()).isEqualTo(all.length);
      try (CacheFile memory = output.takeMemory()) {
        byte[] kept = new byte[all.length];
        assertThat(memory.read(0, kept, 0, kept.length)).isEqualTo(kept.length);
        assertThat(kept).as("memory is what the file is").isEqualTo(all);
      }
      output.close();
      SegmentFormat format = new SegmentFormat(f.job);
      Random random = new Random(1);
      for (int partition = 0; partition < PARTITIONS; partition++) {
        int start = (int) output.index().start(partition);
        int length = (int) output.index().partLength(partition);
        byte[] segment = Arrays.copyOfRange(all, start, start + length);
        List<byte[]> expected = records.get(partition);
        assertThat(read(format, segment))
            .usingElementComparator(Arrays::compare)
            .isEqualTo(expected);
        assertThat(readAsUpstream(f, file, start, length))
            .usingElementComparator(Arrays::compare)
            .isEqualTo(expected);
        for (int flip = 0; flip < 40; flip++) {
          byte[] damaged = segment.clone();
          int at = flip < 8 ? length - 1 - flip / 2 : random.nextInt(length);
          damaged[at] ^= (byte) (1 << random.nextInt(8));
          assertThatThrownBy(() -> read(format, damaged))
              .as("byte %d of %d", at, length)
              .isInstanceOf(IOException.class);
        }
      }
      org.apache.hadoop.fs.Path indexPath = new org.apache.hadoop.fs.Path(file + ".index");
      output.writeIndex(indexPath);
      SpillRecord index = new SpillRecord(indexPath, f.job);
      for (int partition = 0; partition < PARTITIONS; partition++) {
        assertThat(index.getIndex(partition).startOffset)
            .isEqualTo(output.index().start(partition));
        assertThat(index.getIndex(partition).rawLength)
            .isEqualTo(output.index().rawLength(partition));
        assertThat(index.getIndex(partition).partLength)
            .isEqualTo(output.index().partLength(partition));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({",", DEFAULT, GZIP, BZIP2, NO_COMPRESSOR})
  void plainSegments(String codec) throws Exception {
    check(codec, false);
  }

  @ParameterizedTest
  @CsvSource({",", DEFAULT})
  void encryptedSegments(String codec) throws Exception {
    asUserWithKey(
        () -> {
          check(codec, true);
          return null;
        });
  }

  @Test
  void theShuffleServiceMayReadTheOutputUnderAStrictUmask() throws Exception {
    try (SortFixture f = new SortFixture(dir, 64)) {
      f.job.set("fs.permissions.umask-mode", "077");
      MapOutputWriter output = write(f, records());
      org.apache.hadoop.fs.Path indexPath =
          new org.apache.hadoop.fs.Path(output.path().getParent(), "file.out.index");
      output.writeIndex(indexPath);
      output.close();
      for (org.apache.hadoop.fs.Path each : List.of(output.path(), indexPath)) {
        assertThat(f.files.getFileStatus(each).getPermission())
            .isEqualTo(new FsPermission((short) 0640));
      }
    }
  }
}
