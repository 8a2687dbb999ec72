// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

/** Numbers both codecs agree on. */
public final class Wire {

  /** Versions of the protocol this code speaks. */
  public static final int MIN_VERSION = 1;

  /** See {@link #MIN_VERSION}. From version 2 on a subscription may carry more partitions. */
  public static final int MAX_VERSION = 3;

  /** The first version with {@link Frame.FetchRanges}. */
  public static final int RANGES_VERSION = 2;

  /** The first version with {@link Frame.Merge}. */
  public static final int MERGE_VERSION = 3;

  /** Most outputs of one merge. */
  public static final int MAX_MERGED = 1 << 17;

  /** Most outputs that one frame names. */
  static final int MAX_MERGE_PARTS = 4096;

  /** Most ranges that one frame asks for. */
  public static final int MAX_RANGES = 1024;

  /** Largest chunk any side may ask for, in bytes. */
  public static final int MAX_CHUNK = 4 << 20;

  /** Longest name of a job or an attempt, in bytes of UTF-8. */
  public static final int MAX_NAME = 256;

  /** Longest explanation in a refusal, in bytes of UTF-8. */
  public static final int MAX_TEXT = 1024;

  /**
   * Frames other than chunks, FETCH_RANGES and MERGE are not longer than this, type and checksum
   * included.
   */
  static final int MAX_CONTROL = 2048;

  /** Longest frame that asks for ranges or a merge, type and checksum included. */
  static final int MAX_RANGES_BYTES = 64 << 10;

  /** "MMSH". */
  static final int MAGIC = 0x4d4d5348;

  /** Bytes of a chunk frame before its data, the length included. */
  static final int CHUNK_HEAD = 4 + 1 + 4 + 4 + 8 + 4;

  static final int HELLO = 1;
  static final int AUTH = 2;
  static final int AUTH_OK = 3;
  static final int DENY = 4;
  static final int SUBSCRIBE = 5;
  static final int FETCH = 6;
  static final int CANCEL = 7;
  static final int SEGMENT = 8;
  static final int ACCEPT = 9;
  static final int REFUSE = 10;
  static final int CHUNK = 11;
  static final int CREDIT = 12;
  static final int END = 13;
  static final int NACK = 14;
  static final int ERROR = 15;
  static final int PING = 16;
  static final int PONG = 17;
  static final int FETCH_RANGES = 18;
  static final int WANT = 19;
  static final int UNWANT = 20;
  static final int MERGE = 21;
  static final int UNMERGE = 22;

  private Wire() {}

  /** The version two sides speak, or 0 if they share none. */
  public static int commonVersion(Frame.Hello one, Frame.Hello other) {
    int version = Math.min(one.maxVersion(), other.maxVersion());
    return version >= Math.max(one.minVersion(), other.minVersion()) ? version : 0;
  }
}
