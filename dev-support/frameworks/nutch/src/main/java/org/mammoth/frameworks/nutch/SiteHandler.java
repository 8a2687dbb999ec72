// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.nutch;

import java.io.IOException;
import java.net.Proxy;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;

/** Makes URLs of a protocol that the JDK does not know, which is HTTP by another name. */
public final class SiteHandler extends URLStreamHandler {

  @Override
  protected URLConnection openConnection(URL url) throws IOException {
    return openConnection(url, Proxy.NO_PROXY);
  }

  @Override
  protected URLConnection openConnection(URL url, Proxy proxy) throws IOException {
    return new URL("http", url.getHost(), url.getPort(), url.getFile()).openConnection(proxy);
  }
}
