// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.generated;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes hostile programs, and a look for the witness, from lists of setters and of fields: a deed
 * for each entry. Nothing here runs what it writes.
 */
public final class ProgramWriter {
  static final String PACKAGE = "org.mammoth.compat.neighbours.generated";

  private static final Map<String, String> SAMPLES =
      Map.ofEntries(
          Map.entry("boolean", "true"),
          Map.entry("byte", "(byte) 7"),
          Map.entry("short", "(short) 7"),
          Map.entry("char", "'h'"),
          Map.entry("int", "7"),
          Map.entry("long", "7L"),
          Map.entry("float", "7f"),
          Map.entry("double", "7d"),
          Map.entry("java.lang.String", "MARK"),
          Map.entry("java.lang.Object", "MARK"),
          Map.entry("java.lang.CharSequence", "MARK"),
          Map.entry("java.lang.Class", "Own.class"),
          Map.entry("java.util.Locale", "java.util.Locale.GERMANY"),
          Map.entry("java.util.TimeZone", "java.util.TimeZone.getTimeZone(\"Asia/Tokyo\")"),
          Map.entry("java.util.Properties", "new java.util.Properties(System.getProperties())"),
          Map.entry(
              "java.io.PrintStream",
              "new java.io.PrintStream(new java.io.ByteArrayOutputStream())"),
          Map.entry("java.io.PrintWriter", "new java.io.PrintWriter(new java.io.StringWriter())"),
          Map.entry("java.io.InputStream", "new java.io.ByteArrayInputStream(new byte[] {7})"),
          Map.entry("java.io.OutputStream", "new java.io.ByteArrayOutputStream()"),
          Map.entry("java.io.File", "new java.io.File(MARK)"),
          Map.entry("java.util.Map", "new java.util.HashMap(java.util.Map.of(MARK, MARK))"),
          Map.entry("java.util.List", "new java.util.ArrayList(java.util.List.of(MARK))"),
          Map.entry("java.util.Set", "new java.util.HashSet(java.util.Set.of(MARK))"),
          Map.entry("java.util.Collection", "new java.util.ArrayList(java.util.List.of(MARK))"),
          Map.entry("java.net.ProxySelector", "java.net.ProxySelector.of(null)"),
          Map.entry("java.security.Provider", "new java.security.Provider(MARK, \"1\", MARK) {}"),
          Map.entry("java.net.Authenticator", "new java.net.Authenticator() {}"),
          Map.entry("java.net.CookieHandler", "new java.net.CookieManager()"),
          Map.entry(
              "javax.net.ssl.SSLContext", "javax.net.ssl.SSLContext.getInstance(\"TLSv1.2\")"),
          Map.entry("org.apache.log4j.Level", "org.apache.log4j.Level.OFF"),
          Map.entry("org.apache.hadoop.io.Text", "new org.apache.hadoop.io.Text(MARK)"));

  /** Class names to sources: a deed for each setter. */
  public Map<String, String> setters(List<Setter> setters) {
    Map<String, String> sources = new TreeMap<>();
    for (int i = 0; i < setters.size(); i++) {
      Setter setter = setters.get(i);
      String name = "Setter" + i;
      sources.put(PACKAGE + "." + name, setter(name, setter));
    }
    return sources;
  }

  private static String setter(String name, Setter setter) {
    StringBuilder arguments = new StringBuilder();
    for (String type : setter.parameters()) {
      arguments.append(arguments.isEmpty() ? "" : ", ").append(sample(type));
    }
    return """
    package %s;

    /** Calls %s. */
    @SuppressWarnings({"all"})
    public final class %s implements org.mammoth.compat.neighbours.Deed {
      public static final class Own {}

      public String commit(org.apache.hadoop.mapreduce.TaskInputOutputContext<?, ?, ?, ?> context)
          throws Exception {
        %s.%s(%s);
        return %s;
      }

      private static <T> T made(Class<T> type) throws Exception {
        if (type.isEnum()) {
          return type.getEnumConstants()[0];
        }
        if (type.isInterface()) {
          return type.cast(java.lang.reflect.Proxy.newProxyInstance(
              type.getClassLoader() == null ? Own.class.getClassLoader() : type.getClassLoader(),
              new Class<?>[] {type}, (proxy, method, arguments) -> {
                if (method.getName().equals("toString")) return MARK;
                if (method.getName().equals("hashCode")) return 7;
                if (method.getName().equals("equals")) return proxy == arguments[0];
                Class<?> back = method.getReturnType();
                return back == boolean.class ? (Object) false : back == int.class ? (Object) 0
                    : back == long.class ? (Object) 0L : null;
              }));
        }
        return null;
      }
    }
    """
        .formatted(PACKAGE, setter, name, setter.owner(), setter.name(), arguments, seen(setter));
  }

  private static String sample(String type) {
    String known = SAMPLES.get(type);
    if (known != null) {
      return "(" + type + ") " + known;
    }
    if (type.endsWith("[]")) {
      String element = type.substring(0, type.length() - 2);
      return element.endsWith("]")
          ? "(" + type + ") null"
          : "new " + type + " {" + sample(element) + "}";
    }
    return "made(" + type + ".class)";
  }

  private static String seen(Setter setter) {
    return setter.getter() == null ? "\"set\"" : told(setter);
  }

  /** Objects are told by their class: their text may name an address. */
  private static String told(Setter setter) {
    String call = setter.owner() + "." + setter.getter() + "()";
    return setter.plain()
        ? "String.valueOf(" + call + ")"
        : "String.valueOf(java.util.Optional.ofNullable((Object) "
            + call
            + ").map(it -> it.getClass().getName().split(\"\\\\$\\\\$|/\")[0]).orElse(null))";
  }

  /** The witness's look at everything that has a getter; a class by the name {@code SetterLook}. */
  public Map<String, String> setterLook(List<Setter> setters) {
    StringBuilder lines = new StringBuilder();
    setters.stream()
        .filter(setter -> setter.getter() != null)
        .map(
            setter ->
                "    tell(seen, \"%s.%s\", () -> %s);\n"
                    .formatted(setter.owner(), setter.getter(), told(setter)))
        .distinct()
        .forEach(lines::append);
    return Map.of(PACKAGE + ".SetterLook", look("SetterLook", lines.toString()));
  }

  private static String look(String name, String lines) {
    return """
    package %s;

    import java.util.Map;

    @SuppressWarnings({"all"})
    public final class %s implements org.mammoth.compat.neighbours.Look {
      public Map<String, String> look() {
        Map<String, String> seen = new java.util.TreeMap<>();
    %s    return seen;
      }

      private static void tell(Map<String, String> seen, String topic, java.util.concurrent.Callable<String> look) {
        try {
          seen.put(topic, look.call());
        } catch (Throwable e) {
          seen.put(topic, "threw " + e.getClass().getName());
        }
      }
    }
    """
        .formatted(PACKAGE, name, lines);
  }

  /** Class names to sources: a deed for each field, which changes it by reflection. */
  public Map<String, String> fields(List<StaticField> fields) {
    Map<String, String> sources = new TreeMap<>();
    for (int i = 0; i < fields.size(); i++) {
      sources.put(
          PACKAGE + ".Field" + i,
          """
          package %s;

          /** Changes %s. */
          public final class Field%d implements org.mammoth.compat.neighbours.Deed {
            public String commit(org.apache.hadoop.mapreduce.TaskInputOutputContext<?, ?, ?, ?> context)
                throws Exception {
              return org.mammoth.compat.neighbours.FieldChange.change("%s", "%s");
            }
          }
          """
              .formatted(PACKAGE, fields.get(i), i, fields.get(i).owner(), fields.get(i).name()));
    }
    return sources;
  }

  /** The witness's look at fields; a class by the name {@code FieldLook}. */
  public Map<String, String> fieldLook(List<StaticField> fields) {
    StringBuilder lines = new StringBuilder();
    for (StaticField field : fields) {
      lines.append(
          "    tell(seen, \"%s\", () -> org.mammoth.compat.neighbours.FieldChange.tell(\"%s\", \"%s\"));\n"
              .formatted(field, field.owner(), field.name()));
    }
    return Map.of(PACKAGE + ".FieldLook", look("FieldLook", lines.toString()));
  }
}
