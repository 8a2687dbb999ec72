// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder as a launch script lists it: as {@code ls -l} does, then with all below it, links
 * followed, as {@code find -ls} does, then its broken links. Blocks are reckoned from sizes.
 */
public final class FolderList {

  private static final int DEPTH = 5;
  private static final int BLOCK = 4096;
  private static final int KIND = 0170000;
  private static final int FOLDER = 0040000;
  private static final int LINK = 0120000;
  private static final Duration RECENT = Duration.ofDays(182);
  private static final String[] MONTHS = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
  };
  private static final Pattern ESCAPED = Pattern.compile("[ \"\\\\]");
  private static final String FACTS = "unix:mode,ino,nlink,uid,gid,size,lastModifiedTime";

  private final Path folder;
  private final Instant now = Instant.now();
  private final ZoneId zone = ZoneId.systemDefault();

  /** By number: each look into the system's list of users costs more than all else of a file. */
  private final Map<Object, Object> owners = new HashMap<>();

  private final Map<Object, Object> groups = new HashMap<>();

  private FolderList(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads the folder.
   *
   * @throws IOException if it is not there, or what is directly in it vanishes meanwhile
   */
  static String of(Path folder) throws IOException {
    FolderList list = new FolderList(folder);
    List<String> all = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    list.walk(all, broken);
    return "ls -l:\n"
        + list.entries()
        + "find -L . -maxdepth 5 -ls:\n"
        + String.join("", all)
        + "broken symlinks(find -L . -maxdepth 5 -type l -ls):\n"
        + String.join("", broken);
  }

  private String entries() throws IOException {
    List<Path> visible;
    try (Stream<Path> children = Files.list(folder)) {
      visible = children.filter(path -> !name(path).startsWith(".")).sorted().toList();
    }
    StringBuilder lines = new StringBuilder();
    long blocks = 0;
    for (Path path : visible) {
      Map<String, Object> facts = facts(path, LinkOption.NOFOLLOW_LINKS);
      blocks += kilobytes(facts);
      lines.append(line("", facts, name(path) + target(path, facts)));
    }
    return "total " + blocks + "\n" + lines;
  }

  private void walk(List<String> all, List<String> broken) throws IOException {
    Files.walkFileTree(
        folder,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        DEPTH,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            return visitFile(path, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            String line = found(path, attributes.isSymbolicLink());
            all.add(line);
            if (attributes.isSymbolicLink()) {
              broken.add(line);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException failure) {
            return FileVisitResult.CONTINUE; // gone, not readable, or a circle
          }
        });
  }

  private String found(Path path, boolean isBroken) {
    LinkOption[] options =
        isBroken ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
    try {
      Map<String, Object> facts = facts(path, options);
      String number = right(facts.get("ino"), 9) + right(kilobytes(facts), 7) + " ";
      String shown = path.equals(folder) ? "." : "./" + folder.relativize(path);
      return line(number, facts, ESCAPED.matcher(shown).replaceAll("\\\\$0") + target(path, facts));
    } catch (IOException e) {
      return "";
    }
  }

  private Map<String, Object> facts(Path path, LinkOption... options) throws IOException {
    Map<String, Object> facts = Files.readAttributes(path, FACTS, options);
    remember(owners, facts.get("uid"), path, "unix:owner", options);
    remember(groups, facts.get("gid"), path, "unix:group", options);
    return facts;
  }

  private static void remember(
      Map<Object, Object> names, Object number, Path path, String attribute, LinkOption... options)
      throws IOException {
    if (!names.containsKey(number)) {
      names.put(number, Files.getAttribute(path, attribute, options));
    }
  }

  private String line(String before, Map<String, Object> facts, String name) {
    return before
        + mode((int) facts.get("mode"))
        + right(facts.get("nlink"), 4)
        + " "
        + left(owners.get(facts.get("uid")), 8)
        + " "
        + left(groups.get(facts.get("gid")), 8)
        + right(facts.get("size"), 13)
        + " "
        + time((FileTime) facts.get("lastModifiedTime"))
        + " "
        + name
        + "\n";
  }

  /** No formatter of the JDK's: the first use of one costs a new engine some 50 ms. */
  private String time(FileTime modified) {
    Instant at = modified.toInstant();
    ZonedDateTime local = at.atZone(zone);
    String day = MONTHS[local.getMonthValue() - 1] + right(local.getDayOfMonth(), 3);
    boolean isRecent = at.isAfter(now.minus(RECENT)) && !at.isAfter(now);
    return isRecent
        ? day + " " + twoDigits(local.getHour()) + ":" + twoDigits(local.getMinute())
        : day + right(local.getYear(), 6);
  }

  private static String twoDigits(int number) {
    return number < 10 ? "0" + number : String.valueOf(number);
  }

  private static String left(Object value, int width) {
    String text = value.toString();
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String right(Object value, int width) {
    String text = value.toString();
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  private static String target(Path path, Map<String, Object> facts) throws IOException {
    boolean isLink = ((int) facts.get("mode") & KIND) == LINK;
    return isLink ? " -> " + Files.readSymbolicLink(path) : "";
  }

  private static long kilobytes(Map<String, Object> facts) {
    boolean isLink = ((int) facts.get("mode") & KIND) == LINK;
    long size = (long) facts.get("size");
    return isLink ? 0 : (size + BLOCK - 1) / BLOCK * (BLOCK / 1024);
  }

  /**
   * As {@code ls} shows it; {@code t} and {@code s} stand for the bits that others' execution
   * hides.
   */
  private static String mode(int mode) {
    char kind = (mode & KIND) == FOLDER ? 'd' : (mode & KIND) == LINK ? 'l' : '-';
    StringBuilder text = new StringBuilder(10).append(kind);
    for (int shift = 6; shift >= 0; shift -= 3) {
      int bits = mode >> shift;
      text.append((bits & 4) != 0 ? 'r' : '-').append((bits & 2) != 0 ? 'w' : '-');
      boolean runs = (bits & 1) != 0;
      // Setuid, setgid and sticky are 04000, 02000 and 01000.
      boolean special = (mode & (01000 << (shift / 3))) != 0;
      char mark = shift == 0 ? 't' : 's';
      text.append(special ? (runs ? mark : Character.toUpperCase(mark)) : runs ? 'x' : '-');
    }
    return text.toString();
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }
}
