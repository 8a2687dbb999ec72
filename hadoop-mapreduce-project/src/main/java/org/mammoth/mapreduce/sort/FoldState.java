// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.mammoth.mapreduce.sort.FoldTerm.Kind;
import org.mammoth.mapreduce.sort.FoldTerm.Operation;

/**
 * Where {@link ExactFold} stands in a reduce method, and what it knows there. Two equal states go
 * on alike. One thread at a time.
 */
final class FoldState {

  /** What is known of whether another value comes. */
  enum Next {
    YES,
    NO,
    UNKNOWN
  }

  /** The next instruction. */
  int at;

  /** A group has a value at least. */
  Next next = Next.YES;

  /** Values read: none, one, or more than one, which is 2. */
  int read;

  boolean written;

  private final List<FoldTerm> stack = new ArrayList<>();
  private final Map<Integer, FoldTerm> locals = new HashMap<>();

  /** What Writables of the combiner hold, by their names. */
  private final Map<String, FoldTerm> held = new HashMap<>();

  /** Names of objects that were created here. */
  private final Set<String> created = new HashSet<>();

  /** What the last number is of all numbers so far, as a comparison told; or null. */
  private Operation last;

  FoldState() {}

  FoldState(FoldState from) {
    at = from.at;
    next = from.next;
    read = from.read;
    written = from.written;
    last = from.last;
    stack.addAll(from.stack);
    locals.putAll(from.locals);
    held.putAll(from.held);
    created.addAll(from.created);
  }

  void push(FoldTerm term) {
    stack.add(term);
  }

  FoldTerm pop() {
    return stack.remove(stack.size() - 1);
  }

  void store(int local, FoldTerm term) {
    locals.put(local, term);
  }

  FoldTerm load(int local) {
    return locals.getOrDefault(local, FoldTerm.UNKNOWN);
  }

  /** A new object of the combiner's; nothing is known any more of an older one of this name. */
  FoldTerm create(String name) {
    FoldTerm object = FoldTerm.object(name);
    replace(term -> term.equals(object) ? FoldTerm.UNKNOWN : term);
    held.remove(name);
    created.add(name);
    return object;
  }

  /**
   * An object of the combiner's holds a number now; all that came from fields may be one object.
   */
  void hold(FoldTerm object, FoldTerm number) {
    if (!created.contains(object.name())) {
      held.keySet().retainAll(created);
    }
    held.put(object.name(), number);
  }

  FoldTerm heldBy(FoldTerm object) {
    return held.getOrDefault(object.name(), FoldTerm.UNKNOWN);
  }

  /** The next value is read: what was all is all but the last now. */
  void readNext() {
    boolean second = read == 1;
    Operation ofLast = second ? Operation.ANY : last;
    replace(
        term -> {
          switch (term.kind()) {
            case ALL:
              return FoldTerm.of(Kind.ALL_BUT_LAST, term.operation());
            case LAST_NUMBER:
              return ofLast == null ? FoldTerm.UNKNOWN : FoldTerm.of(Kind.ALL_BUT_LAST, ofLast);
            case ALL_BUT_LAST:
            case LAST:
              return FoldTerm.UNKNOWN;
            default:
              return term;
          }
        });
    read = Math.min(2, read + 1);
    last = null;
    next = Next.UNKNOWN;
  }

  /**
   * A comparison has told that {@code other}, a constant or all numbers but the last, is not larger
   * than the last number, or is not smaller.
   */
  void learn(FoldTerm other, boolean notLarger) {
    Operation before = other.is(Kind.CONSTANT) ? Operation.ANY : other.operation();
    Operation ofOther = notLarger ? Operation.MINIMUM : Operation.MAXIMUM;
    Operation ofLast = notLarger ? Operation.MAXIMUM : Operation.MINIMUM;
    FoldTerm now = before.canBe(ofOther) ? FoldTerm.of(Kind.ALL, ofOther) : FoldTerm.UNKNOWN;
    replace(term -> term.equals(other) ? now : term);
    last = before.canBe(ofLast) ? ofLast : null;
  }

  /** By what all numbers so far were folded into this one; null if they were not. */
  Operation foldedInto(FoldTerm term) {
    if (term.is(Kind.ALL)) {
      return term.operation();
    }
    return !term.is(Kind.LAST_NUMBER) ? null : read == 1 ? Operation.ANY : last;
  }

  private void replace(UnaryOperator<FoldTerm> change) {
    stack.replaceAll(change);
    locals.replaceAll((local, term) -> change.apply(term));
    held.replaceAll((name, term) -> change.apply(term));
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof FoldState other
        && at == other.at
        && next == other.next
        && read == other.read
        && written == other.written
        && last == other.last
        && stack.equals(other.stack)
        && locals.equals(other.locals)
        && held.equals(other.held)
        && created.equals(other.created);
  }

  @Override
  public int hashCode() {
    return Objects.hash(at, next, read, written, last, stack, locals, held);
  }
}
