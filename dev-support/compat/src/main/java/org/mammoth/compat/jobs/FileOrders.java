// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Does to a file system what a line says, and tells what came of it: sums of bytes, or the error.
 * The same line on the same state has the same answer, whoever's client it is.
 */
public final class FileOrders implements BiFunction<FileSystem, String, String> {
  private static final int PIECE = 10_000;
  private static final int BLOCK = 64 << 10;

  @Override
  public String apply(FileSystem fs, String line) {
    String[] words = line.split(" ");
    try {
      return carryOut(fs, words);
    } catch (RemoteException e) {
      return error(e.unwrapRemoteException());
    } catch (IOException | RuntimeException e) {
      return error(e);
    }
  }

  /** What users and programs tell errors apart by. */
  private static String error(Exception e) {
    String message = String.valueOf(e.getMessage()).split("\n")[0];
    return e.getClass().getName() + ": " + message;
  }

  private static String carryOut(FileSystem fs, String[] words) throws IOException {
    Path path = new Path(words[1]);
    switch (words[0]) {
      case "write":
        try (FSDataOutputStream out = create(fs, path)) {
          return "wrote " + fill(out, words);
        }
      case "append":
        try (FSDataOutputStream out = fs.append(path)) {
          return "appended " + fill(out, words);
        }
      case "abort":
        // Leaves it open, as a task that is killed does; another's lease recovery closes it.
        FSDataOutputStream open = create(fs, path);
        fill(open, words);
        open.hflush();
        return "closed " + ((DistributedFileSystem) fs).recoverLease(path);
      case "truncate":
        return "truncated " + fs.truncate(path, Long.parseLong(words[2]));
      case "rename":
        return "renamed " + fs.rename(path, new Path(words[2]));
      case "delete":
        return "deleted " + fs.delete(path, true);
      case "concat":
        fs.concat(path, new Path[] {new Path(words[2])});
        return "joined";
      case "mode":
        fs.setPermission(path, new FsPermission(words[2]));
        return "mode " + words[2];
      case "snapshot":
        return "snapshot " + fs.createSnapshot(path, words[2]).getName();
      case "read":
        return read(fs, path, Long.parseLong(words[2]));
      default:
        throw new IOException("no such order: " + words[0]);
    }
  }

  private static FSDataOutputStream create(FileSystem fs, Path path) throws IOException {
    return fs.create(path, true, 4096, (short) 1, BLOCK);
  }

  /** Writes so many bytes as the second argument says, made of the first, in pieces and ways. */
  private static long fill(FSDataOutputStream out, String[] words) throws IOException {
    Random random = new Random(Long.parseLong(words[2]));
    long left = Long.parseLong(words[3]);
    while (left > 0) {
      byte[] piece = new byte[(int) Math.min(left, 1 + random.nextInt(PIECE))];
      random.nextBytes(piece);
      if (piece.length == 8) {
        out.writeLong(ByteBuffer.wrap(piece).getLong());
      } else if (piece.length < 20) {
        for (byte one : piece) {
          out.write(one);
        }
      } else {
        out.write(piece);
      }
      left -= piece.length;
    }
    return out.getPos();
  }

  /** Reads all of a file, by each of the ways that jobs use, and parts of it. */
  private static String read(FileSystem fs, Path path, long seed) throws IOException {
    Random random = new Random(seed);
    List<String> sums = new ArrayList<>();
    try (FSDataInputStream in = fs.open(path, 4096)) {
      CRC32 whole = new CRC32();
      byte[] bytes = in.readAllBytes();
      whole.update(bytes);
      sums.add(bytes.length + " " + Long.toHexString(whole.getValue()));
      for (int i = 0; i < 6 && bytes.length > 0; i++) {
        int from = random.nextInt(bytes.length);
        int length = Math.min(bytes.length - from, 1 + random.nextInt(3 * BLOCK));
        sums.add(sum(part(in, random.nextInt(4), from, length)));
      }
      in.unbuffer();
      in.seek(bytes.length / 2);
      sums.add(in.getPos() + " " + in.read() + " " + in.available());
    }
    return String.join(", ", sums);
  }

  private static byte[] part(FSDataInputStream in, int way, int from, int length)
      throws IOException {
    byte[] into = new byte[length];
    if (way == 0) {
      in.readFully(from, into);
    } else if (way == 1) {
      in.seek(from);
      in.readFully(into);
    } else if (way == 2) {
      in.seek(from);
      ByteBuffer direct = ByteBuffer.allocateDirect(length);
      while (direct.hasRemaining() && in.read(direct) >= 0) {
        // more to come
      }
      direct.flip();
      direct.get(into, 0, direct.remaining());
    } else {
      ByteBuffer heap = ByteBuffer.wrap(into);
      in.readFully(from, heap);
    }
    return into;
  }

  private static String sum(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return bytes.length + " " + Long.toHexString(sum.getValue());
  }
}
