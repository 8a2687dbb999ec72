// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/** All an engine needs to know to run one container's program. A plain value on the wire. */
public final class ContainerLaunchSpec implements Writable {

  private String containerId = "";
  private String user = "";
  private String workDir = "";
  private String logDir = "";
  private String jobFile = "";
  private String tokensFile = "";
  private String rootLogger = "INFO";
  private long memoryMb;
  private long heapMb;
  private List<String> arguments = List.of();
  private List<String> localDirs = List.of();
  private List<String> classPath = List.of();
  private List<String> nodeClassPath = List.of();
  private Map<String, String> environment = Map.of();
  private Map<String, String> properties = Map.of();
  private UserLaunch userLaunch;

  /** For deserialization. */
  public ContainerLaunchSpec() {}

  public String containerId() {
    return containerId;
  }

  public String user() {
    return user;
  }

  /** The container's folder, absolute. */
  public String workDir() {
    return workDir;
  }

  /** Where stdout, stderr and syslog go, absolute. */
  public String logDir() {
    return logDir;
  }

  /** The localized job.xml, absolute. */
  public String jobFile() {
    return jobFile;
  }

  /** The container's credentials file, absolute. */
  public String tokensFile() {
    return tokensFile;
  }

  /** Threshold of the container's own log: a log4j level's name. */
  public String rootLogger() {
    return rootLogger;
  }

  /** What the container asked YARN for, MiB. */
  public long memoryMb() {
    return memoryMb;
  }

  /** The largest Java heap its process would have had, MiB; 0 if that is not known. */
  public long heapMb() {
    return heapMb;
  }

  /** The arguments of the program's main method. */
  public List<String> arguments() {
    return arguments;
  }

  /** The application's local directories on each disk, absolute. */
  public List<String> localDirs() {
    return localDirs;
  }

  /** Jars and folders of the job, behind the engine's own class path. */
  public List<String> classPath() {
    return classPath;
  }

  /**
   * What else is on the container's class path beside the engine's, where the job's own comes
   * before Hadoop's; empty where it does not.
   */
  public List<String> nodeClassPath() {
    return nodeClassPath;
  }

  /** The environment the process would have had, values expanded. */
  public Map<String, String> environment() {
    return environment;
  }

  /** The system properties that the process's command would have set. */
  public Map<String, String> properties() {
    return properties;
  }

  /**
   * What has to be sent beside this to an engine that runs as another system user than its
   * NodeManager; null for one that does not. No part of this value on the wire.
   */
  public UserLaunch userLaunch() {
    return userLaunch;
  }

  public ContainerLaunchSpec withUserLaunch(UserLaunch launch) {
    userLaunch = launch;
    return this;
  }

  public ContainerLaunchSpec withIdentity(String container, String owner, long memory) {
    containerId = container;
    user = owner;
    memoryMb = memory;
    return this;
  }

  public ContainerLaunchSpec withHeap(long largestMb) {
    heapMb = largestMb;
    return this;
  }

  public ContainerLaunchSpec withFolders(String work, String log, List<String> locals) {
    workDir = work;
    logDir = log;
    localDirs = List.copyOf(locals);
    return this;
  }

  public ContainerLaunchSpec withFiles(String job, String tokens) {
    jobFile = job;
    tokensFile = tokens;
    return this;
  }

  public ContainerLaunchSpec withProgram(List<String> args, List<String> jars, String logLevel) {
    arguments = List.copyOf(args);
    classPath = List.copyOf(jars);
    rootLogger = logLevel;
    return this;
  }

  public ContainerLaunchSpec withNodeClassPath(List<String> jars) {
    nodeClassPath = List.copyOf(jars);
    return this;
  }

  public ContainerLaunchSpec withEnvironment(Map<String, String> variables) {
    environment = Collections.unmodifiableMap(new TreeMap<>(variables));
    return this;
  }

  public ContainerLaunchSpec withProperties(Map<String, String> values) {
    properties = Collections.unmodifiableMap(new TreeMap<>(values));
    return this;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    for (String text :
        new String[] {containerId, user, workDir, logDir, jobFile, tokensFile, rootLogger}) {
      Text.writeString(out, text);
    }
    out.writeLong(memoryMb);
    out.writeLong(heapMb);
    writeList(out, arguments);
    writeList(out, localDirs);
    writeList(out, classPath);
    writeList(out, nodeClassPath);
    writeMap(out, environment);
    writeMap(out, properties);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    containerId = Text.readString(in);
    user = Text.readString(in);
    workDir = Text.readString(in);
    logDir = Text.readString(in);
    jobFile = Text.readString(in);
    tokensFile = Text.readString(in);
    rootLogger = Text.readString(in);
    memoryMb = in.readLong();
    heapMb = in.readLong();
    arguments = readList(in);
    localDirs = readList(in);
    classPath = readList(in);
    nodeClassPath = readList(in);
    environment = readMap(in);
    properties = readMap(in);
  }

  private static void writeMap(DataOutput out, Map<String, String> map) throws IOException {
    out.writeInt(map.size());
    for (Map.Entry<String, String> entry : map.entrySet()) {
      Text.writeString(out, entry.getKey());
      Text.writeString(out, entry.getValue());
    }
  }

  private static Map<String, String> readMap(DataInput in) throws IOException {
    Map<String, String> map = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      map.put(Text.readString(in), Text.readString(in));
    }
    return Collections.unmodifiableMap(map);
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
