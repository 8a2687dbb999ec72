// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.lang.reflect.Constructor;
import java.util.EnumSet;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;

/** A block whose file this process reads, or may map. */
class MappedBlock extends BlockInMemory {

  private final ClientMmap mapped;

  /**
   * @param mapped what whoever asks for its memory gets
   */
  MappedBlock(byte[] block, long from, long length, ClientMmap mapped) {
    super(block, from, length, Long.MAX_VALUE);
    this.mapped = mapped;
  }

  /** Some mapping; of what, nobody looks at. */
  static ClientMmap mapping() throws ReflectiveOperationException {
    Constructor<?> made = ClientMmap.class.getDeclaredConstructors()[0];
    made.setAccessible(true);
    return (ClientMmap) made.newInstance(null, null, false);
  }

  @Override
  public boolean isShortCircuit() {
    return true;
  }

  @Override
  public ClientMmap getClientMmap(EnumSet<ReadOption> options) {
    return mapped;
  }
}
