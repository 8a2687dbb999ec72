// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.engine.isolation.standins.Follows;
import org.mammoth.engine.isolation.standins.Precedes;
import org.mammoth.engine.isolation.standins.Redirects;
import org.mammoth.engine.isolation.standins.Replaces;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * One of {@link Replaces}, {@link Precedes} and {@link Redirects} on a method, as its file has it.
 */
final class Marker {

  private static final List<Class<?>> KINDS =
      List.of(Replaces.class, Precedes.class, Follows.class, Redirects.class);

  private final MethodNode method;
  private final Class<?> kind;
  private final Map<String, Object> values = new HashMap<>();

  private Marker(MethodNode method, Class<?> kind, AnnotationNode annotation) {
    this.method = method;
    this.kind = kind;
    for (int i = 0; i < annotation.values.size(); i += 2) {
      values.put((String) annotation.values.get(i), annotation.values.get(i + 1));
    }
  }

  /** Those of a method; mostly one or none. */
  static List<Marker> of(MethodNode method) {
    List<Marker> all = new ArrayList<>();
    if (method.visibleAnnotations != null) {
      for (AnnotationNode annotation : method.visibleAnnotations) {
        KINDS.stream()
            .filter(kind -> Type.getDescriptor(kind).equals(annotation.desc))
            .forEach(kind -> all.add(new Marker(method, kind, annotation)));
      }
    }
    return all;
  }

  boolean is(Class<?> annotation) {
    return kind == annotation;
  }

  /** The class whose members are meant, with slashes. */
  String owner() {
    return ((Type) values.get("value")).getInternalName();
  }

  /** The methods that are meant. */
  List<String> names() {
    List<?> names = (List<?>) values.getOrDefault("names", List.of(method.name));
    return names.stream().map(String.class::cast).toList();
  }

  private boolean has(String value) {
    return Boolean.TRUE.equals(values.get(value));
  }

  boolean isField() {
    return has("field");
  }

  String memberName() {
    return has("constructor") ? "<init>" : (String) values.getOrDefault("name", method.name);
  }

  String memberDescriptor() {
    Type result = Type.getReturnType(method.desc);
    if (isField()) {
      return result.getDescriptor();
    }
    Type[] parameters = Type.getArgumentTypes(method.desc);
    if (has("receiver")) {
      parameters = Arrays.copyOfRange(parameters, 1, parameters.length);
    }
    return Type.getMethodDescriptor(has("constructor") ? Type.VOID_TYPE : result, parameters);
  }
}
