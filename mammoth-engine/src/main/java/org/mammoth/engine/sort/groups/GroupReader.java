// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.Groups;

/** Goes through chosen groups of a {@link GroupTable}, which must not change meanwhile. */
public final class GroupReader implements Groups {

  private final GroupSpace space;
  private final ValueChains chains;
  private final int[] groups;
  private final int[] chosen;
  private final int to;
  private int next;
  private byte[] group;
  private int place;

  /** The group's last chunk and the end of what is used of it; -1 if it has none. */
  private int tail;

  private int tailEnd;

  /** The chunk that is read, the end of its values, and the place after the last one read. */
  private int chunk;

  private byte[] chunkBytes;
  private int end;
  private int at;

  /** The short value that stands in the group is still to come. */
  private boolean lastComes;

  private byte[] bytes;
  private int valueAt;
  private int valueLength;

  /** How many times more the current value comes. */
  private int again;

  private int markedChunk;
  private int markedAt;
  private boolean markedLastComes;
  private byte[] markedBytes;
  private int markedValueAt;
  private int markedValueLength;
  private int markedAgain;

  /**
   * A reader before its first group.
   *
   * @param groups addresses of all groups
   * @param chosen numbers of groups, of which those from {@code from} inclusive to {@code to}
   *     exclusive are read
   */
  GroupReader(GroupSpace space, ValueChains chains, int[] groups, int[] chosen, int from, int to) {
    this.space = space;
    this.chains = chains;
    this.groups = groups;
    this.chosen = chosen;
    this.next = from;
    this.to = to;
  }

  @Override
  public boolean nextGroup() {
    if (next >= to) {
      return false;
    }
    int address = groups[chosen[next++]];
    group = space.slab(address);
    place = space.place(address);
    lastComes = GroupHead.lastLength(group, place) != GroupHead.NOT_SHORT;
    int chain = GroupHead.chain(group, place);
    if (chain < 0) {
      tail = -1;
      chunk = -1;
      end = 0;
      at = 0;
    } else {
      tail = chains.lastChunk(chain);
      tailEnd = chains.lastEnd(chain);
      enter(ValueChains.firstChunk(chain));
      at = chains.valuesAt(chunk);
    }
    bytes = group;
    valueAt = place;
    valueLength = 0;
    again = 0;
    mark();
    return true;
  }

  private void enter(int address) {
    chunk = address;
    chunkBytes = space.slab(address);
    end = address == tail ? tailEnd : chains.valuesEnd(address);
  }

  @Override
  public boolean nextValue() {
    if (again > 0) {
      again--;
      return true;
    }
    if (at >= end && chunk != tail) {
      enter(chains.nextChunk(chunk));
      at = chains.valuesAt(chunk);
    }
    if (at < end) {
      readChunk();
      return true;
    }
    if (!lastComes) {
      return false;
    }
    lastComes = false;
    bytes = group;
    valueLength = GroupHead.lastLength(group, place);
    valueAt = GroupHead.lastAt(place, valueLength);
    again = GroupHead.repeats(group, place);
    return true;
  }

  private void readChunk() {
    int head = Vints.read(chunkBytes, at);
    bytes = chunkBytes;
    valueLength = head >>> 1;
    valueAt = at + Vints.size(chunkBytes[at]);
    at = valueAt + valueLength;
    if ((head & ValueChains.REPEATED) != 0) {
      again = Vints.read(chunkBytes, at);
      at += Vints.size(chunkBytes[at]);
    }
  }

  @Override
  public boolean hasNextValue() {
    // a chunk is only made for a value that goes into it
    return again > 0 || at < end || chunk != tail || lastComes;
  }

  @Override
  public byte[] keyBytes() {
    return group;
  }

  @Override
  public int keyAt() {
    return place + GroupHead.BYTES;
  }

  @Override
  public int keyLength() {
    return GroupHead.keyLength(group, place);
  }

  @Override
  public byte[] valueBytes() {
    return bytes;
  }

  @Override
  public int valueAt() {
    return valueAt;
  }

  @Override
  public int valueLength() {
    return valueLength;
  }

  @Override
  public void mark() {
    markedChunk = chunk;
    markedAt = at;
    markedLastComes = lastComes;
    markedBytes = bytes;
    markedValueAt = valueAt;
    markedValueLength = valueLength;
    markedAgain = again;
  }

  @Override
  public void reset() {
    if (markedChunk != chunk) {
      enter(markedChunk);
    }
    at = markedAt;
    lastComes = markedLastComes;
    bytes = markedBytes;
    valueAt = markedValueAt;
    valueLength = markedValueLength;
    again = markedAgain;
  }
}
