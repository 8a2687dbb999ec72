// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

/**
 * What {@link ExactFold} knows of a value in a reduce method.
 *
 * @param number of a constant, else 0
 * @param name of an object, else null
 */
record FoldTerm(Kind kind, Operation operation, long number, String name) {

  /** How numbers become one. */
  enum Operation {
    SUM,
    MAXIMUM,
    MINIMUM,
    /** Of a single number: any of these. */
    ANY;

    /** Whether what was folded by this goes on as {@code wanted}. */
    boolean canBe(Operation wanted) {
      return this == wanted || this == ANY;
    }
  }

  /** Kinds of values. */
  enum Kind {
    COMBINER,
    KEY,
    VALUES,
    CONTEXT,
    /** The Writable that was read last. */
    LAST,
    /** The number in it. */
    LAST_NUMBER,
    CONSTANT,
    /** A Writable of the combiner's: what it holds stands in the state. */
    OBJECT,
    /** All numbers read so far, folded. */
    ALL,
    /** All numbers but the last, folded. */
    ALL_BUT_LAST,
    UNKNOWN
  }

  static final FoldTerm UNKNOWN = of(Kind.UNKNOWN);

  static FoldTerm of(Kind kind) {
    return new FoldTerm(kind, null, 0, null);
  }

  static FoldTerm of(Kind kind, Operation operation) {
    return new FoldTerm(kind, operation, 0, null);
  }

  static FoldTerm constant(long number) {
    return new FoldTerm(Kind.CONSTANT, null, number, null);
  }

  static FoldTerm object(String name) {
    return new FoldTerm(Kind.OBJECT, null, 0, name);
  }

  boolean is(Kind wanted) {
    return kind == wanted;
  }
}
