// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Watches every buffer of Netty from before the first is made, and tells of those never freed. */
public final class Leaks {

  private static final Queue<String> FOUND = new ConcurrentLinkedQueue<>();

  private static boolean noticed;

  private Leaks() {}

  /** Must run before any buffer exists. */
  public static void watch() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(
        new ResourceLeakDetectorFactory() {
          @Override
          public <T> ResourceLeakDetector<T> newResourceLeakDetector(
              Class<T> resource, int samplingInterval, long maxActive) {
            return new Recorder<>(resource);
          }
        });
  }

  /** Fails if a buffer was collected that nobody had released. */
  public static void assertNone() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      // Making a buffer is what looks for the lost ones.
      PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
    }
    assertThat(FOUND).isEmpty();
  }

  /** Throws one buffer away and says whether that was noticed. */
  static synchronized boolean notices() {
    // Netty tells of leaks at one and the same place only once.
    if (!noticed) {
      PooledByteBufAllocator.DEFAULT.directBuffer(16).writeInt(1);
      for (int i = 0; i < 50 && FOUND.isEmpty(); i++) {
        System.gc();
        PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
      }
      noticed = !FOUND.isEmpty();
      FOUND.clear();
    }
    return noticed;
  }

  private static final class Recorder<T> extends ResourceLeakDetector<T> {

    @SuppressWarnings("deprecation")
    private Recorder(Class<T> resource) {
      super(resource, 1, Long.MAX_VALUE);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
      FOUND.add(resourceType + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
      FOUND.add(resourceType);
    }
  }
}
