// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/** All that a {@link Configuration} makes of files of settings, or how it refuses them. */
public final class Settings implements Function<List<URL>, List<String>> {

  @Override
  public List<String> apply(List<URL> files) {
    Configuration conf = new Configuration(false);
    files.forEach(conf::addResource);
    List<String> all = new ArrayList<>();
    try {
      Map<String, String> values = new TreeMap<>();
      conf.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
      values.forEach(
          (name, value) ->
              all.add(
                  name + " = " + value + " of " + Arrays.toString(conf.getPropertySources(name))));
      all.add("final: " + conf.getFinalParameters().stream().sorted().toList());
      all.add("tagged: " + new TreeMap<>(conf.getAllPropertiesByTag("YARN")));
    } catch (RuntimeException e) {
      all.add(e.toString());
    }
    return all;
  }
}
