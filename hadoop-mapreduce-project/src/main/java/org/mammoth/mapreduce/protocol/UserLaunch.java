// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/**
 * What an engine needs beside a {@link ContainerLaunchSpec} where it runs as its user and the
 * NodeManager does not: with it the engine does as the user what the NodeManager may not do, such
 * as to read the job's files and to make the container's folders. A plain value on the wire.
 */
public final class UserLaunch implements Writable {

  /** The answer of an engine to a job that asks to run as on stock Hadoop. */
  public static final String OPTED_OUT = "the job is opted out";

  private Map<String, List<String>> resources = Map.of();
  private List<String> logDirs = List.of();
  private List<String> command = List.of();
  private byte[] tokens = new byte[0];
  private byte[] script = new byte[0];

  /** For deserialization. */
  public UserLaunch() {}

  /**
   * @param resources the container's localized files, absolute, and the names under which its
   *     script would link each
   * @param logDirs the container's folder in each log directory, absolute
   * @param command of an ApplicationMaster, as its client gave it; empty for a task
   * @param tokens the container's credentials file
   * @param script its launch script, which does not run but is shown to the user
   */
  public UserLaunch(
      Map<String, List<String>> resources,
      List<String> logDirs,
      List<String> command,
      byte[] tokens,
      byte[] script) {
    this.resources = Map.copyOf(resources);
    this.logDirs = List.copyOf(logDirs);
    this.command = List.copyOf(command);
    this.tokens = tokens.clone();
    this.script = script.clone();
  }

  public Map<String, List<String>> resources() {
    return resources;
  }

  public List<String> logDirs() {
    return logDirs;
  }

  public List<String> command() {
    return command;
  }

  public byte[] tokens() {
    return tokens.clone();
  }

  public byte[] script() {
    return script.clone();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(resources.size());
    for (Map.Entry<String, List<String>> entry : resources.entrySet()) {
      Text.writeString(out, entry.getKey());
      writeList(out, entry.getValue());
    }
    writeList(out, logDirs);
    writeList(out, command);
    writeBytes(out, tokens);
    writeBytes(out, script);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    Map<String, List<String>> read = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String path = Text.readString(in);
      read.put(path, readList(in));
    }
    resources = Collections.unmodifiableMap(read);
    logDirs = readList(in);
    command = readList(in);
    tokens = readBytes(in);
    script = readBytes(in);
  }

  private static void writeBytes(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  private static void writeList(DataOutput out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      Text.writeString(out, text);
    }
  }

  private static List<String> readList(DataInput in) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      texts.add(Text.readString(in));
    }
    return Collections.unmodifiableList(texts);
  }
}
