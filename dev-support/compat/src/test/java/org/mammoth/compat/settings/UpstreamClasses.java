// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.settings;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.jar.JarFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.mammoth.compat.settings.UpstreamSettings.Setting;

/**
 * The classes of upstream's MapReduce library that a job can be made of: for each role in a job,
 * all public ones of the jar that can be made. A job whose own class in that role is replaced by
 * one often fails, with an error that must be stock's.
 */
final class UpstreamClasses {

  /** A role: the key of a job that names it. */
  private static final Map<String, Class<?>> NEW_API =
      Map.of(
          "mapreduce.job.inputformat.class", InputFormat.class,
          "mapreduce.job.outputformat.class", OutputFormat.class,
          "mapreduce.job.map.class", Mapper.class,
          "mapreduce.job.combine.class", Reducer.class,
          "mapreduce.job.reduce.class", Reducer.class,
          "mapreduce.job.partitioner.class", Partitioner.class,
          "mapreduce.job.output.key.comparator.class", RawComparator.class,
          "mapreduce.job.output.group.comparator.class", RawComparator.class);

  private static final Map<String, Class<?>> OLD_API =
      Map.of(
          "mapred.input.format.class", org.apache.hadoop.mapred.InputFormat.class,
          "mapred.output.format.class", org.apache.hadoop.mapred.OutputFormat.class,
          "mapred.output.committer.class", org.apache.hadoop.mapred.OutputCommitter.class,
          "mapred.mapper.class", org.apache.hadoop.mapred.Mapper.class,
          "mapred.map.runner.class", org.apache.hadoop.mapred.MapRunnable.class,
          "mapred.combiner.class", org.apache.hadoop.mapred.Reducer.class,
          "mapred.reducer.class", org.apache.hadoop.mapred.Reducer.class,
          "mapred.partitioner.class", org.apache.hadoop.mapred.Partitioner.class,
          "mapreduce.job.output.key.comparator.class", RawComparator.class);

  /**
   * Of keys that are no text it makes no order, so that the result is one of the sort's luck;
   * random jobs of texts have it.
   */
  private static final String NO_ORDER = ".KeyFieldBasedComparator";

  private final List<Setting> newApi;
  private final List<Setting> oldApi;

  UpstreamClasses() throws IOException {
    List<Class<?>> all = publicClasses(Mapper.class);
    newApi = settings(NEW_API, all);
    oldApi = settings(OLD_API, all);
  }

  /** How many pairs of a role and a class there are. */
  int size() {
    return newApi.size() + oldApi.size();
  }

  /** One for the job of this configuration, from a deck of its API. */
  List<Setting> draw(Configuration job, long index, long deckSeed) {
    boolean isOld = Arrays.asList(job.getStrings("mammoth.compat.features")).contains("old-api");
    List<Setting> deck = new ArrayList<>(isOld ? oldApi : newApi);
    Collections.shuffle(deck, new Random(deckSeed));
    return List.of(
        deck.get((int) (index % deck.size())),
        new Setting("mapreduce.map.maxattempts", "1"),
        new Setting("mapreduce.reduce.maxattempts", "1"));
  }

  private static List<Setting> settings(Map<String, Class<?>> roles, List<Class<?>> all) {
    List<Setting> found = new ArrayList<>();
    new TreeMap<>(roles)
        .forEach(
            (key, type) ->
                all.stream()
                    .filter(type::isAssignableFrom)
                    .filter(each -> !each.getName().endsWith(NO_ORDER))
                    .forEach(each -> found.add(new Setting(key, each.getName()))));
    return found;
  }

  /** Those with a constructor that a job can call, in the jar of a class. */
  private static List<Class<?>> publicClasses(Class<?> ofJar) throws IOException {
    List<Class<?>> found = new ArrayList<>();
    try (JarFile jar =
        new JarFile(
            Path.of(ofJar.getProtectionDomain().getCodeSource().getLocation().toURI()).toFile())) {
      for (String name :
          jar.stream().map(Object::toString).filter(n -> n.endsWith(".class")).sorted().toList()) {
        Class<?> type =
            Class.forName(
                name.substring(0, name.length() - ".class".length()).replace('/', '.'),
                false,
                UpstreamClasses.class.getClassLoader());
        if (Modifier.isPublic(type.getModifiers())
            && !Modifier.isAbstract(type.getModifiers())
            && Arrays.stream(type.getDeclaredConstructors())
                .anyMatch(constructor -> constructor.getParameterCount() == 0)) {
          found.add(type);
        }
      }
    } catch (URISyntaxException | ClassNotFoundException | LinkageError e) {
      throw new IOException(e);
    }
    return found;
  }
}
