package org.mammoth.compat.neighbours;

import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.util.ReflectionUtils;

/** Static state that a program reaches by reflection, and pools that it may spoil. */
final class StateLook {
  private StateLook() {}

  static void look(Report report) {
    report.tell("state.verbose", () -> field("org.apache.hadoop.fs.FileSystem", "LOGGER") != null);
    report.tell(
        "state.file-systems-loaded",
        () -> field("org.apache.hadoop.fs.FileSystem", "FILE_SYSTEMS_LOADED"));
    report.tell(
        "state.schemes",
        () ->
            ((java.util.Map<?, ?>) field("org.apache.hadoop.fs.FileSystem", "SERVICE_FILE_SYSTEMS"))
                .keySet());
    report.tell(
        "state.copy", () -> ReflectionUtils.copy(new Configuration(), new Text("a"), new Text()));
    report.tell(
        "pool.decompressor",
        () -> {
          DefaultCodec codec = new DefaultCodec();
          codec.setConf(new Configuration(false));
          Decompressor one = CodecPool.getDecompressor(codec);
          Decompressor two = CodecPool.getDecompressor(codec);
          boolean apart = one != two && !one.finished() && one.needsInput();
          CodecPool.returnDecompressor(one);
          CodecPool.returnDecompressor(two);
          return apart + " " + CodecPool.getLeasedDecompressorsCount(codec);
        });
  }

  private static Object field(String type, String name) throws ReflectiveOperationException {
    Field field = Class.forName(type).getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }
}
