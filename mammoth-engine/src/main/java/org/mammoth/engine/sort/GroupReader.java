package org.mammoth.engine.sort;

/** Goes through chosen groups of a {@link GroupTable}, which must not change meanwhile. */
final class GroupReader implements Groups {

  private final GroupTable table;
  private final int[] chosen;
  private final int to;
  private int next;
  private byte[] group;
  private int place;
  private int tail;
  private int lastAt;

  /** Where the current value is: its chunk, the chunk's end, and the place after the value. */
  private int chunk;

  private byte[] bytes;
  private int end;
  private int at;

  private int valueAt;
  private int valueLength;

  /** How many times more the current value comes. */
  private int again;

  private int markedChunk;
  private int markedAt;
  private int markedValueAt;
  private int markedValueLength;
  private int markedAgain;

  /**
   * A reader before its first group.
   *
   * @param chosen numbers of groups, of which those from {@code from} inclusive to {@code to}
   *     exclusive are read
   */
  GroupReader(GroupTable table, int[] chosen, int from, int to) {
    this.table = table;
    this.chosen = chosen;
    this.next = from;
    this.to = to;
  }

  @Override
  public boolean nextGroup() {
    if (next >= to) {
      return false;
    }
    int address = table.address(chosen[next++]);
    group = table.slab(address);
    place = table.place(address);
    tail = GroupTable.get(group, place + GroupTable.TAIL);
    lastAt = GroupTable.get(group, place + GroupTable.LAST_AT);
    enter(address + GroupTable.GROUP_BYTES + keyLength());
    at = table.place(chunk) + GroupTable.CHUNK_BYTES;
    valueLength = 0;
    valueAt = at;
    again = 0;
    mark();
    return true;
  }

  private void enter(int address) {
    chunk = address;
    bytes = table.slab(address);
    end =
        address == tail
            ? GroupTable.get(group, place + GroupTable.TAIL_AT)
            : GroupTable.get(bytes, table.place(address) + GroupTable.USED_END);
  }

  @Override
  public boolean nextValue() {
    if (again > 0) {
      again--;
      return true;
    }
    if (at >= end) {
      if (chunk == tail) {
        return false;
      }
      enter(GroupTable.get(bytes, table.place(chunk) + GroupTable.NEXT));
      at = table.place(chunk) + GroupTable.CHUNK_BYTES;
    }
    int head = Vints.read(bytes, at);
    boolean last = at == lastAt && chunk == tail;
    valueLength = head >>> 1;
    valueAt = at + Vints.size(bytes[at]);
    at = valueAt + valueLength;
    if (last) {
      again = GroupTable.get(group, place + GroupTable.REPEATS);
    } else if ((head & GroupTable.REPEATED) != 0) {
      again = Vints.read(bytes, at);
      at += Vints.size(bytes[at]);
    }
    return true;
  }

  @Override
  public boolean hasNextValue() {
    // a chunk is only made for a value that goes into it
    return again > 0 || at < end || chunk != tail;
  }

  @Override
  public byte[] keyBytes() {
    return group;
  }

  @Override
  public int keyAt() {
    return place + GroupTable.GROUP_BYTES;
  }

  @Override
  public int keyLength() {
    return GroupTable.get(group, place + GroupTable.KEY_LENGTH);
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
    markedValueAt = valueAt;
    markedValueLength = valueLength;
    markedAgain = again;
  }

  @Override
  public void reset() {
    enter(markedChunk);
    at = markedAt;
    valueAt = markedValueAt;
    valueLength = markedValueLength;
    again = markedAgain;
  }
}
