// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.ArrayDeque;
import java.util.Deque;

/** Finished files that are closed when memory is asked back, as output that is on disk already. */
class HeldFiles implements Revocable {

  final Deque<CacheFile> files = new ArrayDeque<>();
  long revoked;
  private final BufferKind kind;
  private final LeaseOwner owner;

  HeldFiles(BufferKind kind, LeaseOwner owner) {
    this.kind = kind;
    this.owner = owner;
  }

  HeldFiles hold(CacheFile file) {
    files.add(file);
    return this;
  }

  @Override
  public BufferKind kind() {
    return kind;
  }

  @Override
  public LeaseOwner owner() {
    return owner;
  }

  @Override
  public long revocableBytes() {
    return files.stream().mapToLong(CacheFile::heldBytes).sum();
  }

  @Override
  public long revoke(long bytes) {
    long freed = 0;
    while (freed < bytes && !files.isEmpty()) {
      CacheFile file = files.poll();
      freed += file.heldBytes();
      file.close();
    }
    revoked += freed;
    return freed;
  }
}
