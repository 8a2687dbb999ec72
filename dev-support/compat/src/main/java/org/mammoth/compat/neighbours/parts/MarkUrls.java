// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.parts;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.net.spi.URLStreamHandlerProvider;

/** URLs of a protocol of its own, whose text is what they name. */
public final class MarkUrls extends URLStreamHandlerProvider {
  @Override
  public URLStreamHandler createURLStreamHandler(String protocol) {
    if (!protocol.equals("hostile")) {
      return null;
    }
    return new URLStreamHandler() {
      @Override
      protected URLConnection openConnection(URL url) {
        return new URLConnection(url) {
          @Override
          public void connect() {}

          @Override
          public InputStream getInputStream() {
            return new ByteArrayInputStream(url.getPath().getBytes());
          }
        };
      }
    };
  }
}
