// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config.names;

/**
 * Names of keys that somebody speaks of who does not have their declaration. The declarations take
 * them from here, and the compiler copies them: whoever uses one needs no jar of ours for it.
 */
public final class KeyNames {

  public static final String ENGINE_ENABLED = "mammoth.engine.enabled";
  public static final String ENGINE_MEMORY_MB = "mammoth.engine.memory-mb";
  public static final String ENGINE_ADMIN_PORT = "mammoth.engine.admin.port";
  public static final String WARM_APP_MASTER = "mammoth.appmaster.warm";
  public static final String HEAP_FRACTION = "mammoth.engine.heap-fraction";
  public static final String ENGINE_JAVA_HOME = "mammoth.engine.java-home";
  public static final String SHARED_JARS = "mammoth.engine.shared-jars";
  public static final String START_TIMEOUT_MS = "mammoth.engine.start.timeout-ms";
  public static final String IDLE_YIELD_MS = "mammoth.engine.idle.yield-ms";
  public static final String QUARANTINE_DEATHS = "mammoth.engine.quarantine.deaths";
  public static final String CACHE_LINKS = "mammoth.engine.cache-links";
  public static final String HIGH_WATERMARK = "mammoth.memory.watermark.high";
  public static final String SHUFFLE_PORT = "mammoth.shuffle.port";
  public static final String QUARANTINE_TIME_MS = "mammoth.io.quarantine.time-ms";
  public static final String FULL_RETRY_MS = "mammoth.io.full.retry-ms";
  public static final String SSD_DIRS = "mammoth.io.ssd-dirs";
  public static final String SSD_CACHE_ENABLED = "mammoth.mpcache.enabled";
  public static final String SSD_CACHE_DIRS = "mammoth.mpcache.dirs";

  private KeyNames() {}
}
