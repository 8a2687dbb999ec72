// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.io.IOException;

/** A program that does nothing and has nothing to close; a test's own does more. */
public class TestProgram implements ContainerProgram {

  @Override
  public int run() throws IOException, InterruptedException {
    return 0;
  }

  @Override
  public void fence() {}

  @Override
  public void reportFatal(Throwable error) {}

  @Override
  public void closeFileSystems() {}

  @Override
  public void close() {}
}
