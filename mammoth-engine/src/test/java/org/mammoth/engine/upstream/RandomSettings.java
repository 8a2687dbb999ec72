// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Files of settings that hold what people, and programs, write into them, broken ones among them.
 */
final class RandomSettings {

  private static final List<String> KEYS =
      List.of("a", "b", "fs.default.name", "io.sort.mb", "mapred.job.name", "x y", "");

  private static final List<String> TAGS =
      List.of(
          "name", "value", "final", "source", "tag", "description", "property", "configuration");

  private final SplittableRandom random;

  RandomSettings(long seed) {
    random = new SplittableRandom(seed);
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private boolean rarely() {
    return random.nextInt(12) == 0;
  }

  Charset charset() {
    return one(
        List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.UTF_16));
  }

  /**
   * A document.
   *
   * @param other a file to include
   */
  String document(Charset charset, Path other) {
    StringBuilder xml = new StringBuilder();
    if (random.nextBoolean() || charset != StandardCharsets.UTF_8) {
      xml.append("<?xml version=\"1.0\" encoding=\"").append(charset.name()).append("\"?>\n");
    }
    if (rarely()) {
      xml.append("<!DOCTYPE configuration [<!ENTITY e \"entity\">]>");
    }
    xml.append(rarely() ? "<?style sheet?>" : "");
    String root = rarely() ? one(TAGS) : "configuration";
    xml.append('<').append(root).append(" xmlns:xi=\"http://www.w3.org/2001/XInclude\">");
    for (int i = random.nextInt(8); i > 0; i--) {
      xml.append(rarely() ? include(other) : property()).append(between());
    }
    xml.append("</").append(root).append('>');
    if (rarely()) {
      xml.setLength(random.nextInt(xml.length()));
    }
    return xml.toString();
  }

  private String include(Path other) {
    String file = rarely() ? "nowhere.xml" : other.toString();
    String fallback = random.nextBoolean() ? "" : "<xi:fallback>" + property() + "</xi:fallback>";
    return "<xi:include href=\"" + file + "\">" + fallback + "</xi:include>";
  }

  private String between() {
    return one(List.of("", "\n  ", "<!-- a > b -->", "\r\n\t", "text", "<empty/>"));
  }

  private String property() {
    StringBuilder xml = new StringBuilder("<property");
    boolean byAttributes = rarely();
    if (byAttributes) {
      xml.append(" name='").append(one(KEYS)).append("' value=\"").append(word()).append('"');
      xml.append(random.nextBoolean() ? " final='true'" : "");
    }
    xml.append('>').append(between());
    if (!byAttributes || rarely()) {
      xml.append(element("name", one(KEYS))).append(between()).append(element("value", text()));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      String tag = one(TAGS);
      boolean last = tag.equals("final");
      xml.append(between()).append(element(tag, last ? one(List.of("true", "false", "")) : text()));
    }
    return xml.append("</property>").toString();
  }

  private String element(String tag, String text) {
    return rarely() ? "<" + tag + "/>" : "<" + tag + ">" + text + "</" + tag + ">";
  }

  private String word() {
    return one(List.of("v", "YARN", "${a}", "\u00e9", "0", "a,b"));
  }

  private String text() {
    StringBuilder xml = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      xml.append(
          switch (random.nextInt(9)) {
            case 0 -> "&lt;&amp;&#10;";
            case 1 -> "<![CDATA[<name>&x;</name>]]>";
            case 2 -> "<!-- within -->";
            case 3 -> "long ".repeat(random.nextInt(2_000));
            case 4 -> rarely() ? "&e;" : " \n ";
            case 5 -> rarely() ? "<name>inner</name>" : "YARN";
            default -> word();
          });
    }
    return xml.toString();
  }
}
