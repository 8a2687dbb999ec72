// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import io.netty.handler.codec.DecoderException;

/** Bytes that are no frame, or a frame that may not come now. The connection must be closed. */
public final class ProtocolException extends DecoderException {

  private static final long serialVersionUID = 1L;

  public ProtocolException(String message) {
    super(message);
  }
}
