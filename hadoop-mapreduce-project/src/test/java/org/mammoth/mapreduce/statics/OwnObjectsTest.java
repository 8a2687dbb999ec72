// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.upstream.OwnObjects;

/** This Hadoop's classes make what {@link OwnObjects} knows, and ours can stand for it. */
class OwnObjectsTest {

  private static byte[] file(String name) throws IOException {
    try (InputStream in = MRAppMaster.class.getClassLoader().getResourceAsStream(name + ".class")) {
      return in.readAllBytes();
    }
  }

  private static String text(byte[] code) {
    return new String(code, StandardCharsets.ISO_8859_1);
  }

  private static Class<?> loaded(String name) throws ClassNotFoundException {
    return Class.forName(name.replace('/', '.'), false, MRAppMaster.class.getClassLoader());
  }

  static Stream<OwnObjects> all() {
    return Stream.of(OwnObjects.PAGES, OwnObjects.HDFS);
  }

  @ParameterizedTest
  @MethodSource("all")
  void makesOursInPlaceOfUpstreams(OwnObjects made) throws IOException {
    byte[] original = file(made.owner());
    assertThat(text(original)).doesNotContain(made.ours());
    assertThat(made.rewrite(original))
        .map(OwnObjectsTest::text)
        .get()
        .asString()
        .contains(made.ours());
    assertThat(OwnObjects.madeIn(made.owner())).isEqualTo(made);
  }

  /** As Hadoop 3.5 has no Jersey 1, and its streams another method to read at a position. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "com/acme/NotThere.<init>()V",
        "org/apache/hadoop/hdfs/DFSInputStream.notThere()V",
        "org/apache/hadoop/hdfs/DFSInputStream.read(J)I"
      })
  void upstreamsStaysWhereOursDoesNotFit(String needed) throws IOException {
    OwnObjects made = OwnObjects.HDFS;
    OwnObjects unfit = new OwnObjects(made.owner(), made.upstreams(), made.ours(), needed);
    assertThat(unfit.rewrite(file(made.owner()))).isEmpty();
  }

  /** It is constructed in upstream's class, by what upstream calls. */
  @ParameterizedTest
  @MethodSource("all")
  void oursIsOneOfUpstreams(OwnObjects made) throws ClassNotFoundException {
    Class<?> ours = loaded(made.ours());
    Class<?> upstreams = loaded(made.upstreams());
    assertThat(upstreams).isAssignableFrom(ours);
    List<List<Class<?>>> known =
        Stream.of(upstreams.getDeclaredConstructors())
            .map(each -> Arrays.asList(each.getParameterTypes()))
            .toList();
    assertThat(ours.getDeclaredConstructors())
        .allSatisfy(each -> assertThat(known).contains(Arrays.asList(each.getParameterTypes())));
  }

  @ParameterizedTest
  @MethodSource("all")
  void aClassThatMakesNoneIsNotKnown(OwnObjects made) throws IOException {
    assertThat(made.rewrite(file(MRAppMaster.class.getName().replace('.', '/')))).isEmpty();
  }

  @Test
  void othersMakeWhatTheyMake() {
    assertThat(OwnObjects.madeIn("org/apache/hadoop/hdfs/DFSClient")).isNull();
  }
}
