// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.Map;

/**
 * What a node's engines print.
 *
 * @param logs text by file name
 */
public record EngineLogs(Map<String, String> logs) {

  public EngineLogs {
    logs = StatusJson.orEmpty(logs);
  }
}
