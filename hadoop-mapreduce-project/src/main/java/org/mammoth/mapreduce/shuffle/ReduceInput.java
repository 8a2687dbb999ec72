package org.mammoth.mapreduce.shuffle;

import java.io.Closeable;
import java.io.IOException;
import org.mammoth.engine.sort.SegmentInput;

/** One map's share of a reduce's input, wherever it lies. Opened at most once. */
interface ReduceInput extends Closeable {

  /** The map attempt it comes from. */
  String name();

  /** Bytes of its records. */
  long rawLength();

  /** Reads it from the start; closing the result closes this. */
  SegmentInput open() throws IOException;
}
