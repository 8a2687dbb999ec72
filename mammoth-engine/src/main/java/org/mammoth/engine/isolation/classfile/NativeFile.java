// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.classfile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What a native library takes from others, and what it gives to all that have loaded the same: the
 * dynamic symbols of a 64-bit little-endian ELF file. Immutable.
 */
record NativeFile(List<String> imports, List<String> uniques) {
  private static final int MAGIC = 0x464c457f;
  private static final int CLASS_64_LITTLE_ENDIAN = 0x0102;
  private static final int DYNAMIC_SYMBOLS = 11;
  private static final int SECTION_LENGTH = 64;
  private static final int SYMBOL_LENGTH = 24;
  private static final int UNIQUE = 10;

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read or is no such file
   */
  static NativeFile read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer header = part(channel, 0, SECTION_LENGTH);
      if (header.getInt(0) != MAGIC || header.getShort(4) != CLASS_64_LITTLE_ENDIAN) {
        throw new IOException(file + " is no 64-bit little-endian ELF file");
      }
      long start = header.getLong(0x28);
      int count = Short.toUnsignedInt(header.getShort(0x3c));
      ByteBuffer sections = part(channel, start, (long) count * SECTION_LENGTH);
      for (int at = 0; at < sections.limit(); at += SECTION_LENGTH) {
        if (sections.getInt(at + 4) == DYNAMIC_SYMBOLS) {
          ByteBuffer names = content(channel, sections, sections.getInt(at + 0x28));
          return of(content(channel, sections, at / SECTION_LENGTH), names);
        }
      }
      throw new IOException(file + " has no table of dynamic symbols");
    } catch (IllegalArgumentException | IndexOutOfBoundsException damaged) {
      throw new IOException(file + " is damaged", damaged);
    }
  }

  private static NativeFile of(ByteBuffer symbols, ByteBuffer names) {
    List<String> imports = new ArrayList<>();
    List<String> uniques = new ArrayList<>();
    for (int at = 0; at + SYMBOL_LENGTH <= symbols.limit(); at += SYMBOL_LENGTH) {
      String name = name(names, symbols.getInt(at));
      boolean isImport = symbols.getShort(at + 6) == 0;
      if (isImport && !name.isEmpty()) {
        imports.add(name);
      } else if (!isImport && Byte.toUnsignedInt(symbols.get(at + 4)) >> 4 == UNIQUE) {
        uniques.add(name);
      }
    }
    return new NativeFile(List.copyOf(imports), List.copyOf(uniques));
  }

  private static String name(ByteBuffer names, int from) {
    int end = from;
    while (names.get(end) != 0) {
      end++;
    }
    byte[] name = new byte[end - from];
    names.get(from, name);
    return new String(name, StandardCharsets.UTF_8);
  }

  private static ByteBuffer content(FileChannel channel, ByteBuffer sections, int index)
      throws IOException {
    int at = index * SECTION_LENGTH;
    return part(channel, sections.getLong(at + 0x18), sections.getLong(at + 0x20));
  }

  private static ByteBuffer part(FileChannel channel, long from, long length) throws IOException {
    if (from < 0 || length < 0 || from + length > channel.size()) {
      throw new IOException("a table ends behind the file's end");
    }
    ByteBuffer part = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
    while (part.hasRemaining() && channel.read(part, from + part.position()) >= 0) {
      // reads on
    }
    return part;
  }
}
