// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.nutch;

import crawlercommons.robots.BaseRobotRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URL;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.protocol.Protocol;
import org.apache.nutch.protocol.ProtocolOutput;
import org.apache.nutch.protocol.ProtocolStatus;
import org.apache.nutch.protocol.RobotRulesParser;

/** Fetches pages of all hosts from one server, which acts as their proxy. */
public final class SiteProtocol extends Configured implements Protocol {

  @Override
  public ProtocolOutput getProtocolOutput(Text url, CrawlDatum datum) {
    try {
      return fetch(url.toString());
    } catch (IOException e) {
      return new ProtocolOutput(null, new ProtocolStatus(e));
    }
  }

  private ProtocolOutput fetch(String url) throws IOException {
    InetSocketAddress server = new InetSocketAddress("127.0.0.1", getConf().getInt("site.port", 0));
    HttpURLConnection connection =
        (HttpURLConnection) new URL(url).openConnection(new Proxy(Proxy.Type.HTTP, server));
    connection.setInstanceFollowRedirects(false);
    int code = connection.getResponseCode();
    if (code == HttpURLConnection.HTTP_MOVED_PERM) {
      String target = connection.getHeaderField("Location");
      Content none = content(url, new byte[0], connection);
      return new ProtocolOutput(none, new ProtocolStatus(ProtocolStatus.MOVED, target));
    }
    if (code != HttpURLConnection.HTTP_OK) {
      return new ProtocolOutput(null, new ProtocolStatus(ProtocolStatus.NOTFOUND));
    }
    try (InputStream in = connection.getInputStream()) {
      return new ProtocolOutput(content(url, in.readAllBytes(), connection));
    }
  }

  private Content content(String url, byte[] body, HttpURLConnection connection) {
    return new Content(url, url, body, connection.getContentType(), new Metadata(), getConf());
  }

  @Override
  public BaseRobotRules getRobotRules(Text url, CrawlDatum datum, List<Content> robots) {
    return RobotRulesParser.EMPTY_RULES;
  }
}
