// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.List;

/** The kinds of buffers an engine accounts for, by the names it reports. */
public final class BufferKinds {

  /** In the order in which charts stack them, from below. */
  public static final List<String> NAMES =
      List.of("ELEMENT", "SORT", "SEND", "RECEIVE", "IO", "DATA_CACHE");

  private BufferKinds() {}
}
