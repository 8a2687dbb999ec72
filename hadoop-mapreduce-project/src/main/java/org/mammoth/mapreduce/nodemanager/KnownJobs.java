// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.lang.reflect.Field;
import java.util.Map;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/**
 * The jobs that upstream's {@link ShuffleHandler} serves, with their users and secrets. It keeps
 * them over a restart of the NodeManager. Its fields for them are private before Hadoop 3.4, so
 * they are read by reflection in all versions. Thread-safe, as upstream's own two are.
 */
final class KnownJobs {

  private final Map<?, ?> users;
  private final JobTokenSecretManager secrets;

  private KnownJobs(Map<?, ?> users, JobTokenSecretManager secrets) {
    this.users = users;
    this.secrets = secrets;
  }

  /**
   * @param handler that has started: it makes anew what it keeps when it starts
   * @throws ReflectiveOperationException if it has no such fields
   */
  static KnownJobs of(ShuffleHandler handler) throws ReflectiveOperationException {
    return new KnownJobs(
        field(handler, "userRsrc", Map.class),
        field(handler, "secretManager", JobTokenSecretManager.class));
  }

  private static <T> T field(ShuffleHandler handler, String name, Class<T> type)
      throws ReflectiveOperationException {
    Field field = ShuffleHandler.class.getDeclaredField(name);
    if (!type.isAssignableFrom(field.getType())) {
      throw new NoSuchFieldException(name + " is of " + field.getType());
    }
    field.setAccessible(true);
    return type.cast(field.get(handler));
  }

  /** The user of a job with this id; null if it is not known. */
  String user(String job) {
    return (String) users.get(job);
  }

  /** The secret of a job with this id; null if it is not known. */
  byte[] secret(String job) {
    try {
      SecretKey key = secrets.retrieveTokenSecret(job);
      return key == null ? null : key.getEncoded();
    } catch (InvalidToken e) {
      return null;
    }
  }
}
