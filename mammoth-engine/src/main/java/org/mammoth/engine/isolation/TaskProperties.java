// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.Map;
import java.util.Properties;

/**
 * A task's system properties. Whoever changes by the object itself what the JDK reads needs a
 * process, as with {@code System.setProperty}. Thread-safe as its superclass is.
 */
final class TaskProperties extends Properties {
  private static final long serialVersionUID = 1L;

  private volatile boolean isComplete;

  /** From now on changes are the task's. */
  TaskProperties complete() {
    isComplete = true;
    return this;
  }

  private void changing(Object key, Object value) {
    if (isComplete && key instanceof String) {
      JdkProperties.setting((String) key, value instanceof String ? (String) value : null);
    }
  }

  @Override
  public Object put(Object key, Object value) {
    changing(key, value);
    return super.put(key, value);
  }

  @Override
  public void putAll(Map<?, ?> more) {
    more.forEach(this::changing);
    super.putAll(more);
  }

  @Override
  public Object putIfAbsent(Object key, Object value) {
    if (!containsKey(key)) {
      changing(key, value);
    }
    return super.putIfAbsent(key, value);
  }

  @Override
  public Object replace(Object key, Object value) {
    if (containsKey(key)) {
      changing(key, value);
    }
    return super.replace(key, value);
  }

  @Override
  public Object remove(Object key) {
    changing(key, null);
    return super.remove(key);
  }

  /** A copy of the JDK's kind, as a copy is nobody's system properties. */
  @Override
  public Object clone() {
    Properties copy = new Properties();
    copy.putAll(this);
    return copy;
  }

  private Object writeReplace() {
    return clone();
  }
}
