// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.nutch;

import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configured;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseImpl;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.Parser;
import org.apache.nutch.protocol.Content;

/** Finds title, text and links of simple pages. */
public final class LinkParser extends Configured implements Parser {

  private static final Pattern TITLE = Pattern.compile("<title>(.*?)</title>");
  private static final Pattern LINK = Pattern.compile("<a href=\"(.*?)\">(.*?)</a>");

  @Override
  public ParseResult getParse(Content content) {
    String page = new String(content.getContent(), StandardCharsets.UTF_8);
    Matcher title = TITLE.matcher(page);
    List<Outlink> links = new ArrayList<>();
    try {
      URL base = new URL(content.getBaseUrl());
      for (Matcher link = LINK.matcher(page); link.find(); ) {
        links.add(new Outlink(new URL(base, link.group(1)).toString(), link.group(2)));
      }
    } catch (MalformedURLException e) {
      return new ParseStatus(e).getEmptyParseResult(content.getUrl(), getConf());
    }
    String text = page.replaceAll("<.*?>", " ").replaceAll("\\s+", " ").trim();
    ParseData data =
        new ParseData(
            ParseStatus.STATUS_SUCCESS,
            title.find() ? title.group(1) : "",
            links.toArray(new Outlink[0]),
            content.getMetadata(),
            new Metadata());
    return ParseResult.createParseResult(content.getUrl(), new ParseImpl(text, data));
  }
}
