// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

/**
 * Where bytes of map output came from, as they are in map output files.
 *
 * @param memory of the reduce's own node
 * @param disk map output files of the reduce's own node
 * @param network other nodes
 */
record CameFrom(long memory, long disk, long network) {

  static final CameFrom NOWHERE = new CameFrom(0, 0, 0);

  static CameFrom network(long bytes) {
    return new CameFrom(0, 0, bytes);
  }

  CameFrom plus(CameFrom other) {
    return new CameFrom(memory + other.memory, disk + other.disk, network + other.network);
  }
}
