// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.pig;

import java.io.IOException;
import java.net.URI;
import org.apache.pig.EvalFunc;
import org.apache.pig.data.Tuple;

/** The host of an address: a function as Pig's users write them, null for what is no address. */
public class Host extends EvalFunc<String> {

  @Override
  public String exec(Tuple input) throws IOException {
    if (input == null || input.size() == 0 || input.get(0) == null) {
      return null;
    }
    try {
      return URI.create((String) input.get(0)).getHost();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
