// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config.java11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What stands in for Java 17 does as Java 17 does. */
class Java11Test {

  private record Point(int x, double y, String name, List<Long> more) {}

  private record Empty() {}

  @Test
  void recordsCompareAsTheJdksDo() throws Throwable {
    List<Point> points =
        List.of(
            new Point(1, 0.0, "a", List.of()),
            new Point(1, 0.0, "a", List.of()),
            new Point(1, -0.0, "a", List.of()),
            new Point(1, Double.NaN, "a", List.of()),
            new Point(1, Double.NaN, "a", List.of()),
            new Point(2, 0.0, "a", List.of()),
            new Point(1, 0.0, null, List.of(3L)),
            new Point(1, 0.0, null, List.of(3L)),
            new Point(1, 0.0, "b", null));
    for (Point one : points) {
      assertThat(ofPoint("toString", String.class).invoke(one)).isEqualTo(one.toString());
      assertThat((boolean) equals(Point.class).invoke(one, (Object) "other")).isFalse();
      assertThat((boolean) equals(Point.class).invoke(one, (Object) null)).isFalse();
      for (Point other : points) {
        boolean same = (boolean) equals(Point.class).invoke(one, (Object) other);
        assertThat(same).as(one + " and " + other).isEqualTo(one.equals(other));
        if (same) {
          assertThat((int) ofPoint("hashCode", int.class).invoke(one))
              .isEqualTo((int) ofPoint("hashCode", int.class).invoke(other));
        }
      }
    }
  }

  @Test
  void aRecordWithoutComponents() throws Throwable {
    assertThat(
            of(Empty.class, "toString", MethodType.methodType(String.class, Empty.class))
                .invoke(new Empty()))
        .isEqualTo(new Empty().toString());
    assertThat((boolean) equals(Empty.class).invoke(new Empty(), (Object) new Empty())).isTrue();
  }

  @Test
  void theJdksAreUsedWhereThereAreAny() throws Throwable {
    CallSite site =
        (CallSite)
            ObjectMethods.bootstrap(
                MethodHandles.lookup(),
                "hashCode",
                MethodType.methodType(int.class, Point.class),
                Point.class,
                "x;y;name;more",
                getters(Point.class));
    Point point = new Point(1, 2.0, "a", List.of(7L));
    assertThat((int) site.getTarget().invoke(point)).isEqualTo(point.hashCode());
  }

  @Test
  void listsOfStreamsMayHoldNullAndNothingElseChangesThem() {
    List<String> list = Streams.toList(Stream.of("a", null));
    assertThat(list).containsExactly("a", null);
    assertThatThrownBy(() -> list.add("b")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> list.set(0, "b")).isInstanceOf(UnsupportedOperationException.class);
  }

  private static MethodHandle ofPoint(String method, Class<?> result) throws Exception {
    return of(Point.class, method, MethodType.methodType(result, Point.class));
  }

  private static MethodHandle equals(Class<?> record) throws Exception {
    return of(record, "equals", MethodType.methodType(boolean.class, record, Object.class));
  }

  private static MethodHandle of(Class<?> record, String method, MethodType type) throws Exception {
    String names =
        String.join(
            ";", Arrays.stream(record.getRecordComponents()).map(each -> each.getName()).toList());
    return ObjectMethods.callSite(method, type, record, names, getters(record)).getTarget();
  }

  private static MethodHandle[] getters(Class<?> record) throws Exception {
    MethodHandles.Lookup inside = MethodHandles.privateLookupIn(record, MethodHandles.lookup());
    MethodHandle[] getters = new MethodHandle[record.getRecordComponents().length];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = inside.unreflect(record.getRecordComponents()[i].getAccessor());
    }
    return getters;
  }
}
