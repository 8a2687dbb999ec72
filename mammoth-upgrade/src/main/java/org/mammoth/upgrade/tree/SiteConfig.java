// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Hadoop's site files as a daemon reads them, without Hadoop: a later file goes before an earlier
 * one unless that marked the key final, included files count as part of the file that includes
 * them, and {@code ${...}} is replaced by other keys and by the daemon's properties and
 * environment. Upstream's own defaults are not known here; whoever asks names them. Immutable.
 */
public final class SiteConfig {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^{}$\\s]+)}");
  private static final int MOST_SUBSTITUTIONS = 20;

  /** Upstream's defaults of keys that other keys are made of. */
  private static final Map<String, String> UPSTREAM =
      Map.of(
          "yarn.nodemanager.hostname", "0.0.0.0",
          "yarn.resourcemanager.hostname", "0.0.0.0",
          "hadoop.tmp.dir", "/tmp/hadoop-${" + Variables.USER + "}");

  /**
   * One key.
   *
   * @param value as it stands in the file
   * @param file which file set it
   * @param isFinal whether later files cannot change it
   */
  private record Setting(String value, Path file, boolean isFinal) {}

  private final Map<String, Setting> settings = new HashMap<>();
  private final Variables variables;

  private SiteConfig(Variables variables) {
    this.variables = variables;
  }

  /**
   * Reads site files in order; one that is not there is left out.
   *
   * @param variables of the daemon whose files they are
   * @throws IOException if a file is no configuration; the message names it
   */
  public static SiteConfig read(List<Path> files, Variables variables) throws IOException {
    SiteConfig config = new SiteConfig(variables);
    for (Path file : files) {
      if (Files.exists(file)) {
        config.add(file);
      }
    }
    return config;
  }

  private void add(Path file) throws IOException {
    Element root;
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      factory.setXIncludeAware(true);
      factory.setFeature("http://apache.org/xml/features/xinclude/fixup-base-uris", false);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      root = builder.parse(file.toFile()).getDocumentElement();
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(file + " cannot be read as a configuration: " + e.getMessage(), e);
    }
    // An included file brings its own configuration element, which is searched as well.
    NodeList properties = root.getElementsByTagName("property");
    for (int i = 0; i < properties.getLength(); i++) {
      add(file, (Element) properties.item(i));
    }
  }

  private void add(Path file, Element property) {
    String name = text(property, "name").map(String::trim).orElse("");
    Optional<String> value = text(property, "value");
    Setting before = settings.get(name);
    if (name.isEmpty() || value.isEmpty() || before != null && before.isFinal()) {
      return;
    }
    boolean isFinal = text(property, "final").map(String::trim).orElse("").equals("true");
    settings.put(name, new Setting(value.get(), file, isFinal));
  }

  /** A child's text; configurations may have attributes instead. */
  private static Optional<String> text(Element property, String name) {
    NodeList children = property.getElementsByTagName(name);
    if (children.getLength() > 0) {
      return Optional.of(children.item(0).getTextContent());
    }
    return property.hasAttribute(name)
        ? Optional.of(property.getAttribute(name))
        : Optional.empty();
  }

  /** A key's value, trimmed and with variables replaced; {@code otherwise} if no file sets it. */
  public String get(String key, String otherwise) {
    Setting setting = settings.get(key);
    String value = setting == null ? otherwise : setting.value().trim();
    return value == null ? null : substituted(value);
  }

  /** As {@link #get}, empty if no file sets it. */
  public Optional<String> find(String key) {
    return Optional.ofNullable(get(key, null));
  }

  /** Whether a key is {@code true}. */
  public boolean isTrue(String key, boolean otherwise) {
    return get(key, String.valueOf(otherwise)).equalsIgnoreCase("true");
  }

  /** The parts of a list that is separated by commas; none if no file sets it. */
  public List<String> list(String key, String otherwise) {
    return Arrays.stream(get(key, otherwise).split(","))
        .map(String::trim)
        .filter(part -> !part.isEmpty())
        .toList();
  }

  /** Whether the files let nobody change a key after them. */
  public boolean isFinal(String key) {
    Setting setting = settings.get(key);
    return setting != null && setting.isFinal();
  }

  /** Which file set a key. */
  public Optional<Path> origin(String key) {
    return Optional.ofNullable(settings.get(key)).map(Setting::file);
  }

  /** All keys that begin so, sorted. */
  public List<String> keys(String prefix) {
    return settings.keySet().stream().filter(key -> key.startsWith(prefix)).sorted().toList();
  }

  private String substituted(String value) {
    String now = value;
    for (int i = 0; i < MOST_SUBSTITUTIONS; i++) {
      Matcher variable = VARIABLE.matcher(now);
      if (!variable.find()) {
        break;
      }
      String put = variable(variable.group(1));
      if (put == null) {
        break;
      }
      now = now.substring(0, variable.start()) + put + now.substring(variable.end());
    }
    return now;
  }

  private String variable(String name) {
    if (name.startsWith("env.")) {
      String[] parts = name.substring("env.".length()).split(":?-", 2);
      String value = variables.environment(parts[0]);
      return value == null && parts.length == 2 ? parts[1] : value;
    }
    String property = variables.property(name);
    Setting other = settings.get(name);
    if (property != null) {
      return property;
    }
    return other == null ? UPSTREAM.get(name) : other.value().trim();
  }
}
