// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * HDFS as tasks of an engine see it. What they read of this node's spinning disks takes turns with
 * the engine's own files ({@link AheadBlockReader}); what they write stays in the data cache and is
 * read from there ({@link KeptBlockReader}). Everything else is upstream's.
 */
public final class EngineFileSystem extends DistributedFileSystem {

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
    classes.replace(SCHEME, DistributedFileSystem.class, EngineFileSystem.class);
  }

  @Override
  void initDFSClient(URI uri, Configuration conf) throws IOException {
    dfs = new EngineClient(uri, conf, statistics);
  }
}
