// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.hadoop.conf.Configuration;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Makes a jar of Hadoop's defaults without their descriptions, to stand before Hadoop's own in the class path. Hadoop
 * parses the defaults anew for each Configuration that a client, a NodeManager or an ApplicationMaster makes on its
 * way, and two thirds of what it parses are descriptions. What is left must be the same configuration, by Hadoop's
 * own reading, or the build fails.
 *
 * <p>Arguments: ROOMS JAR
 */
public final class Defaults {

  private static final List<String> NAMES =
      List.of("core-default.xml", "hdfs-default.xml", "yarn-default.xml", "mapred-default.xml");

  public static void main(String[] args) throws Exception {
    Path jar = Path.of(args[1]);
    // An earlier build's would be found, too.
    Files.deleteIfExists(jar);
    Map<String, byte[]> originals = find(Path.of(args[0]));
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream out = new ZipOutputStream(file)) {
      for (Map.Entry<String, byte[]> original : originals.entrySet()) {
        byte[] plain = plain(original.getValue());
        mustSayTheSame(original.getKey(), original.getValue(), plain);
        ZipEntry entry = new ZipEntry(original.getKey());
        // Two builds give the same bytes.
        entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
        out.putNextEntry(entry);
        out.write(plain);
      }
    }
  }

  /** The files by name. */
  private static Map<String, byte[]> find(Path rooms) throws IOException {
    Map<String, byte[]> found = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(rooms)) {
      for (Path jar : files.filter(path -> path.toString().endsWith(".jar")).sorted().toList()) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
          for (String name : NAMES) {
            ZipEntry entry = zip.getEntry(name);
            if (entry != null) {
              byte[] file = zip.getInputStream(entry).readAllBytes();
              byte[] other = found.put(name, file);
              if (other != null && !Arrays.equals(other, file)) {
                fail(name + " is in two jars and not the same, the second is " + jar);
              }
            }
          }
        }
      }
    }
    if (found.size() != NAMES.size()) {
      fail("of " + NAMES + " only " + found.keySet() + " are in the jars of " + rooms);
    }
    return found;
  }

  private static byte[] plain(byte[] original) throws Exception {
    Document document = read(original);
    strip(document.getDocumentElement());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TransformerFactory.newInstance().newTransformer().transform(new DOMSource(document.getDocumentElement()), new StreamResult(out));
    return out.toByteArray();
  }

  private static Document read(byte[] file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(file));
  }

  /** Leaves elements of settings, and what is in those that have no elements within. */
  private static void strip(Element element) {
    NodeList children = element.getChildNodes();
    for (int i = children.getLength() - 1; i >= 0; i--) {
      Node child = children.item(i);
      if (!(child instanceof Element) || child.getNodeName().equals("description")) {
        element.removeChild(child);
      } else if (child.getNodeName().equals("property")) {
        strip((Element) child);
      }
    }
  }

  private static void mustSayTheSame(String name, byte[] original, byte[] plain) throws Exception {
    for (boolean nulls : new boolean[] {false, true}) {
      Configuration expected = load(name, original, nulls);
      Configuration found = load(name, plain, nulls);
      check(name, "values", values(expected), values(found));
      check(name, "final parameters", expected.getFinalParameters(), found.getFinalParameters());
      for (String key : values(expected).keySet()) {
        check(name, "sources of " + key, sources(expected, key), sources(found, key));
      }
      for (String tag : tags(original)) {
        check(name, "tag " + tag, expected.getAllPropertiesByTag(tag), found.getAllPropertiesByTag(tag));
      }
    }
  }

  private static Configuration load(String name, byte[] file, boolean nulls) {
    Configuration conf = new Configuration(false);
    conf.setAllowNullValueProperties(nulls);
    conf.addResource(new ByteArrayInputStream(file), name);
    return conf;
  }

  private static Map<String, String> values(Configuration conf) {
    Map<String, String> values = new TreeMap<>();
    conf.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
    if (values.size() < 100) {
      fail("Hadoop reads only " + values.size() + " settings: " + values);
    }
    return values;
  }

  private static List<String> sources(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources == null ? List.of() : Arrays.asList(sources);
  }

  private static Set<String> tags(byte[] original) throws Exception {
    Set<String> tags = new TreeSet<>();
    NodeList elements = read(original).getElementsByTagName("tag");
    for (int i = 0; i < elements.getLength(); i++) {
      for (String tag : elements.item(i).getTextContent().split(",")) {
        tags.add(tag.trim());
      }
    }
    return tags;
  }

  private static void check(String file, String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      fail(file + ", " + what + ": Hadoop reads " + expected + " in its own and " + found + " in the one without descriptions");
    }
  }

  private static void fail(String message) {
    System.err.println("Defaults: " + message);
    System.exit(1);
  }
}
