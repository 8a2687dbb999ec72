package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.mammoth.mapreduce.buffers.InputReads;
import org.mammoth.mapreduce.buffers.TaskBuffers;

/**
 * HDFS whose files, read by a task of this engine from this node's DataNode, take turns with the
 * engine's own files on the same spinning disk; see {@link AheadBlockReader}. Everything else is
 * upstream's.
 */
public final class InputTurnsFileSystem extends DistributedFileSystem {

  private static final String SCHEME = "hdfs";
  private static final String CLASSES = "SERVICE_FILE_SYSTEMS";

  /**
   * Has this JVM use it for hdfs:// wherever no configuration names another class. It is put where
   * FileSystem keeps what it found on the class path: a configuration is handed on to other nodes.
   *
   * @throws ReflectiveOperationException if FileSystem keeps it elsewhere; nothing has changed
   */
  public static void install(Configuration conf) throws IOException, ReflectiveOperationException {
    FileSystem.getFileSystemClass(SCHEME, conf); // has FileSystem look at the class path
    Field field = FileSystem.class.getDeclaredField(CLASSES);
    field.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<String, Class<? extends FileSystem>> classes =
        (Map<String, Class<? extends FileSystem>>) field.get(null);
    classes.replace(SCHEME, DistributedFileSystem.class, InputTurnsFileSystem.class);
  }

  @Override
  void initDFSClient(URI uri, Configuration conf) throws IOException {
    dfs = new Client(uri, conf, statistics);
  }

  /** Opens files for tasks. */
  private static final class Client extends DFSClient {

    Client(URI uri, Configuration conf, FileSystem.Statistics statistics) throws IOException {
      super(uri, conf, statistics);
    }

    @Override
    public DFSInputStream open(String file, int bufferBytes, boolean verify) throws IOException {
      TaskBuffers task = TaskBuffers.ofCurrentTask();
      InputReads input = task == null ? null : task.input();
      if (input == null) {
        return super.open(file, bufferBytes, verify);
      }
      checkOpen();
      LocatedBlocks blocks = getLocatedBlocks(file, 0);
      return blocks == null || blocks.getErasureCodingPolicy() != null
          ? super.open(file, bufferBytes, verify)
          : new InputTurnsStream(this, file, verify, blocks, input);
    }
  }
}
