// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

/** An answer that is an error; the text is for whoever asked. */
final class ApiException extends Exception {

  private static final long serialVersionUID = 1;

  private final int status;

  ApiException(int status, String text) {
    super(text);
    this.status = status;
  }

  int status() {
    return status;
  }
}
