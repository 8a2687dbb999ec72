// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Two SSD directories of 1 MiB and a store over them. */
final class StoreFixture implements StoreListener {

  static final String POOL = "BP-1-10.0.0.1-1700000000000";
  static final BandwidthLimiter UNLIMITED = new BandwidthLimiter(new ManualPace(), 0);

  final FaultyFiles files = new FaultyFiles();
  final Path first;
  final Path second;
  final List<BlockKey> leaving = Collections.synchronizedList(new ArrayList<>());
  final List<BlockKey> lost = Collections.synchronizedList(new ArrayList<>());
  volatile Consumer<BlockKey> left = key -> {};
  volatile Executor deleter = Runnable::run;
  volatile long inputCapacity = 2 << 20;

  StoreFixture(Path folder) {
    first = folder.resolve("ssd0");
    second = folder.resolve("ssd1");
  }

  BlockStore store() {
    return new BlockStore(
        List.of(new SsdDirectory(first, 1 << 20), new SsdDirectory(second, 1 << 20)),
        files,
        () -> inputCapacity,
        this,
        directory -> deleter);
  }

  BlockStore empty() {
    BlockStore store = store();
    store.recover(key -> true);
    return store;
  }

  static BlockKey key(long id, int length) {
    return new BlockKey(POOL, id, 1001, length);
  }

  /** The bytes of a block follow from its key. */
  static byte[] bytes(BlockKey key) {
    byte[] bytes = new byte[(int) key.length()];
    new Random(key.blockId() * 31 + key.generationStamp()).nextBytes(bytes);
    return bytes;
  }

  static FillSource source(byte[] bytes, boolean valid) {
    return new FillSource() {
      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes);
      }

      @Override
      public boolean stillValid() {
        return valid;
      }
    };
  }

  static FillResult fill(BlockStore store, BlockKey key) {
    return store.fill(key, source(bytes(key), true), UNLIMITED);
  }

  static byte[] read(BlockStore store, BlockKey key) {
    try (FileInputStream in = store.open(key, 0).orElse(null)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Path> filesOf(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Override
  public void leaving(BlockKey key) {
    leaving.add(key);
  }

  @Override
  public void left(BlockKey key) {
    left.accept(key);
  }

  @Override
  public void lost(BlockKey key, String why) {
    lost.add(key);
  }
}
