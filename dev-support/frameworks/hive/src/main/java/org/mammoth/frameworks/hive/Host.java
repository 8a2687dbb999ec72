// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.hive;

import java.net.URI;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.io.Text;

/** The host of an address: a function as Hive's users write them, null for what is no address. */
public class Host extends UDF {

  public Text evaluate(Text address) {
    if (address == null) {
      return null;
    }
    try {
      String host = URI.create(address.toString()).getHost();
      return host == null ? null : new Text(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
