// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.cluster.SourceCompiler;
import org.mammoth.compat.neighbours.Street.Place;
import org.mammoth.compat.neighbours.Street.Started;
import org.mammoth.compat.neighbours.generated.ProgramWriter;
import org.mammoth.compat.neighbours.generated.Setter;
import org.mammoth.compat.neighbours.generated.SetterScan;
import org.mammoth.compat.neighbours.generated.SlotList;
import org.mammoth.compat.neighbours.generated.StaticField;

/**
 * Programs written from lists: one that calls each setter of the JDK and of Hadoop, one that
 * changes each field that the engine gives tasks for themselves. A witness that reads all of it
 * sees afterwards what it saw before and what it sees on stock.
 */
@ExtendWith(SharedCluster.class)
@Tag("long")
class GeneratedNeighboursIT {
  private static final String ONLY = System.getProperty("mammoth.compat.only", ".*");
  private static final String PACKAGE = "org.mammoth.compat.neighbours.generated.";
  private static final String USER = "alice";

  private final ProgramWriter writer = new ProgramWriter();
  private final Verdicts verdicts = new Verdicts();

  @Test
  void settersOfTheJdk(MiniCluster cluster) throws Exception {
    setters(cluster, "jdk-setters", SetterScan.jdk());
  }

  @Test
  void settersOfHadoop(MiniCluster cluster) throws Exception {
    setters(
        cluster, "hadoop-setters", SetterScan.jars(MiniCluster.classPath(), SetterScan.OF_TASKS));
  }

  @Test
  void fieldsOfTasks(MiniCluster cluster) throws Exception {
    List<StaticField> fields =
        SlotList.read().stream().filter(each -> each.toString().matches(ONLY)).toList();
    Program crowd = program(cluster, "fields", writer.fields(fields));
    Path look = compiled(cluster, "fields-look", writer.fieldLook(fields));
    run(new Street(cluster), crowd, List.of(PACKAGE + "FieldLook"), look, fields);
  }

  private void setters(MiniCluster cluster, String name, List<Setter> found) throws Exception {
    List<Setter> setters = found.stream().filter(each -> each.toString().matches(ONLY)).toList();
    Program crowd = program(cluster, name, writer.setters(setters));
    Path look = compiled(cluster, name + "-look", writer.setterLook(setters));
    run(new Street(cluster), crowd, List.of(PACKAGE + "SetterLook"), look, setters);
  }

  /** Deeds are numbered as the list's entries are. */
  private void run(Street street, Program crowd, List<String> looks, Path look, List<?> entries)
      throws Exception {
    assertThat(entries).isNotEmpty();
    Started stockWitness = street.witness(USER, Place.STOCK, looks, look);
    Started stockCrowd = street.each(crowd, USER, Place.STOCK);
    Seen stock = stockWitness.seen();
    Map<String, String> stockOwn = stockCrowd.seen().lines();
    Seen before = street.witness(USER, Place.ENGINE, looks, look).seen();
    verdicts.add(crowd.name() + ": witness before", "", before.differences(stock));
    Map<String, String> own = street.each(crowd, USER, Place.ENGINE).seen().lines();
    List<String> differences = new ArrayList<>();
    for (String deed : crowd.deeds()) {
      String topic = "map " + deed.substring(deed.lastIndexOf('.') + 1);
      String here = own.getOrDefault(topic, "nothing");
      String there = stockOwn.getOrDefault(topic, "nothing");
      if (!here.equals(there)) {
        Object entry = entries.get(Integer.parseInt(topic.replaceAll("\\D", "")));
        differences.add(entry + ": " + here + " | stock: " + there);
      }
    }
    verdicts.add(crowd.name() + ": itself", "of " + entries.size(), differences);
    Seen after = street.witness(USER, Place.ENGINE, looks, look).seen();
    verdicts.add(crowd.name() + ": witness after", "", after.differences(before));
    assertThat(verdicts.bad()).isEmpty();
  }

  private static Program program(MiniCluster cluster, String name, Map<String, String> sources)
      throws IOException {
    Path classes = compiled(cluster, name, sources);
    List<String> deeds = new ArrayList<>(new TreeMap<>(sources).keySet());
    return new Program(
        name,
        deeds,
        List.of(classes),
        "written from a list",
        "generated",
        true,
        false,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  private static Path compiled(MiniCluster cluster, String name, Map<String, String> sources)
      throws IOException {
    Path module = Path.of(System.getProperty("mammoth.compat.jobs.classes"));
    return SourceCompiler.compile(
        sources, List.of(), List.of(module), cluster.home().resolve("generated").resolve(name));
  }
}
