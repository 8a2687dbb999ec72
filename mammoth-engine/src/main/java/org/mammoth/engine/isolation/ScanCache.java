package org.mammoth.engine.isolation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Answers about jars, the least recently asked for forgotten first. Thread-safe. */
final class ScanCache {
  /** A jar as it was when it was looked through. */
  record Key(String path, long length, long modified) {}

  private final Map<Key, Optional<String>> answers;

  ScanCache(int capacity) {
    answers =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, Optional<String>> eldest) {
            return size() > capacity;
          }
        };
  }

  /** The answer, or null when the jar has not been looked through. */
  synchronized Optional<String> get(Key key) {
    return answers.get(key);
  }

  synchronized void put(Key key, Optional<String> answer) {
    answers.put(key, answer);
  }
}
