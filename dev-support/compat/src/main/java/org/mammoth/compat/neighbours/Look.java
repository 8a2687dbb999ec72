// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.util.Map;

/** More that a witness looks at; named in its configuration, with a public constructor. */
public interface Look {
  /** Topic to what is seen. Changes nothing. */
  Map<String, String> look();
}
