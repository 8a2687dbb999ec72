package org.mammoth.compat.neighbours.deeds;

/** Reaches tasks in a jar of {@code -libjars} only. */
public final class OnlyInLibrary {
  private OnlyInLibrary() {}

  /** Something to say. */
  public static String says() {
    return "from the library";
  }
}
