// SPDX-License-Identifier: Apache-2.0
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes the page of what ships, or checks that it is as it would be written. Two sources must agree:
 * the jars that the release holds, and the bill of materials that Maven has made of the poms.
 *
 * <p>Arguments: BOM ROOMS PAGE NATIVE-VERSION check|update
 */
public final class Dependencies {

  private record Part(String coordinates, String version, String license) {}

  public static void main(String[] args) throws IOException {
    Path bom = Path.of(args[0]);
    Path rooms = Path.of(args[1]);
    if (!isOfThisBuild(bom, rooms)) {
      Files.deleteIfExists(bom);
      System.out.println(
          "Dependencies: this release has no bill of materials, and docs/dependencies.md is not checked: built without a network");
      return;
    }
    Map<String, Part> named = named(bom);
    Map<String, String> shipped = shipped(rooms);
    mustAgree(named, shipped);
    Path page = Path.of(args[2]);
    String now = page(named, shipped, args[3]);
    if (args[4].equals("update")) {
      Files.writeString(page, now);
    } else if (!Files.exists(page) || !Files.readString(page).equals(now)) {
      fail(
          page.getFileName()
              + " does not say what ships; look at what has changed, then: mvn -pl hadoop-dist -am package -DskipTests"
              + " -Ddependencies.command=update");
    }
  }

  /** Whether it is of these jars. Maven makes none without a network, and leaves that of an earlier build there. */
  private static boolean isOfThisBuild(Path bom, Path rooms) throws IOException {
    if (!Files.exists(bom)) {
      return false;
    }
    Map<String, String> sums = new TreeMap<>();
    for (JsonNode component : new ObjectMapper().readTree(bom.toFile()).path("components")) {
      for (JsonNode hash : component.path("hashes")) {
        if (hash.path("alg").asText().equals("SHA-256")) {
          sums.put(jarOf(component), hash.path("content").asText());
        }
      }
    }
    for (Map.Entry<String, String> jar : shipped(rooms).entrySet()) {
      Path file = rooms.resolve(jar.getValue()).resolve(jar.getKey());
      String sum = sums.get(jar.getKey());
      if (sum != null && !sum.equals(sha256(file))) {
        return false;
      }
    }
    return true;
  }

  private static String sha256(Path file) throws IOException {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
  }

  /** The name of its jar. */
  private static String jarOf(JsonNode component) {
    String classifier = classifierOf(component);
    return component.path("name").asText() + "-" + component.path("version").asText() + classifier + ".jar";
  }

  /** With a dash before it; empty if it has none. */
  private static String classifierOf(JsonNode component) {
    String purl = component.path("purl").asText();
    int at = purl.indexOf("classifier=");
    return at < 0 ? "" : "-" + purl.substring(at + "classifier=".length()).split("&")[0];
  }

  /** By the name of the jar. */
  private static Map<String, Part> named(Path bom) throws IOException {
    Map<String, Part> named = new TreeMap<>();
    for (JsonNode component : new ObjectMapper().readTree(bom.toFile()).path("components")) {
      String coordinates =
          component.path("group").asText() + ":" + component.path("name").asText() + classifierOf(component).replace('-', ':');
      named.put(jarOf(component), new Part(coordinates, component.path("version").asText(), license(component)));
    }
    return named;
  }

  private static String license(JsonNode component) {
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode each : component.path("licenses")) {
      JsonNode license = each.path("license");
      names.add(
          each.has("expression")
              ? each.path("expression").asText()
              : license.has("id") ? license.path("id").asText() : license.path("name").asText());
    }
    return names.isEmpty() ? "its pom names none" : String.join("; ", names);
  }

  /** The folder below share/hadoop, by the name of the jar. */
  private static Map<String, String> shipped(Path rooms) throws IOException {
    Map<String, String> shipped = new TreeMap<>();
    try (Stream<Path> files = Files.walk(rooms)) {
      files
          .filter(file -> file.toString().endsWith(".jar"))
          .forEach(file -> shipped.put(file.getFileName().toString(), rooms.relativize(file.getParent()).toString()));
    }
    return shipped;
  }

  private static void mustAgree(Map<String, Part> named, Map<String, String> shipped) {
    TreeSet<String> unnamed = new TreeSet<>(shipped.keySet());
    unnamed.removeAll(named.keySet());
    TreeSet<String> missing = new TreeSet<>(named.keySet());
    missing.removeAll(shipped.keySet());
    if (!unnamed.isEmpty() || !missing.isEmpty()) {
      fail("shipped, but not in the bill of materials: " + unnamed + "; in it, but not shipped: " + missing);
    }
  }

  private static String page(Map<String, Part> named, Map<String, String> shipped, String nativeVersion) {
    List<String> ours = new ArrayList<>();
    List<String> others = new ArrayList<>();
    named.forEach(
        (jar, part) -> {
          String row =
              "| " + part.coordinates() + " | " + part.version() + " | " + part.license() + " | " + shipped.get(jar) + " |\n";
          (shipped.get(jar).startsWith("mammoth") ? ours : others).add(row);
        });
    ours.sort(null);
    others.sort(null);
    String head = "| artifact | version | license | below share/hadoop |\n|---|---|---|---|\n";
    return """
        # What ships

        The build writes this page and fails when it is stale. It is made of the jars that the release holds and of the licenses that their
        poms name. Where a pom names several, all stand here; most leave the choice. The same as CycloneDX, with hashes and with who needs
        whom: `share/doc/mammoth/sbom.json` in the release.

        ## What Mammoth adds to Apache Hadoop

        The add-on holds these but the console and the workloads, and from the second table `asm-commons`, `asm-tree` and, for
        `mammoth-upgrade`, Jackson.

        """
        + head
        + String.join("", ours)
        + """

        ## Apache Hadoop, and what it needs

        """
        + head
        + String.join("", others)
        + """

        ## What is no jar

        `lib/native/libhadoop.so` comes from io.trino.hadoop:hadoop-apache:"""
        + nativeVersion
        + """
         (Apache-2.0), the web pages below
        `share/hadoop/hdfs/webapps` from hadoop-hdfs; see `NOTICE`.
        """;
  }

  private static void fail(String why) {
    System.err.println("Dependencies: " + why);
    System.exit(1);
  }

  private Dependencies() {}
}
