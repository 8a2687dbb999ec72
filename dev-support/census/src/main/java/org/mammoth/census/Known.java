// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.Set;
import java.util.regex.Pattern;

/** What the census knows of classes of the JDK and of libraries by name. */
final class Known {

  /** Loggers: their state is each task's own, or the engine's; docs/isolation.md says which. */
  static final Set<String> LOGGERS =
      Set.of(
          "org/slf4j/Logger",
          "org/slf4j/Marker",
          "org/apache/log4j/Logger",
          "org/apache/commons/logging/Log",
          "java/util/logging/Logger",
          "org/eclipse/jetty/util/log/Logger",
          "io/netty/util/internal/logging/InternalLogger",
          "org/jboss/logging/Logger",
          "com/github/benmanes/caffeine/cache/CacheLogger",
          "org/jline/utils/Log");

  /** Final classes of the JDK, or those whose objects cannot change, nor what they refer to. */
  static final Set<String> IMMUTABLE =
      Set.of(
          "java/lang/String",
          "java/lang/Class",
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Short",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Float",
          "java/lang/Double",
          "java/lang/Void",
          "java/lang/Runtime$Version",
          "java/lang/StackTraceElement",
          "java/lang/invoke/MethodType",
          "java/math/BigInteger",
          "java/math/BigDecimal",
          "java/math/MathContext",
          "java/math/RoundingMode",
          "java/net/URI",
          "java/net/InetAddress",
          "java/net/Inet4Address",
          "java/net/Inet6Address",
          "java/net/InetSocketAddress",
          "java/nio/ByteOrder",
          "java/nio/charset/Charset",
          "java/nio/file/Path",
          "java/nio/file/FileSystem",
          "java/nio/file/attribute/FileTime",
          "java/io/File",
          "java/security/Permission",
          "java/security/BasicPermission",
          "java/lang/RuntimePermission",
          "java/lang/reflect/ReflectPermission",
          "java/util/PropertyPermission",
          "java/util/Locale",
          "java/util/UUID",
          "java/util/Currency",
          "java/util/OptionalInt",
          "java/util/OptionalLong",
          "java/util/regex/Pattern",
          "java/util/concurrent/TimeUnit",
          "java/time/Duration",
          "java/time/Instant",
          "java/time/LocalDate",
          "java/time/LocalTime",
          "java/time/LocalDateTime",
          "java/time/Period",
          "java/time/Year",
          "java/time/ZoneId",
          "java/time/ZoneOffset",
          "java/time/ZonedDateTime",
          "java/time/OffsetDateTime",
          "java/time/format/DateTimeFormatter",
          "java/time/DayOfWeek",
          "java/time/Month",
          "java/time/temporal/ChronoUnit",
          "javax/xml/namespace/QName",
          "javax/management/ObjectName",
          "org/w3c/dom/DOMException");

  /** Handles and updaters: they name a field or method and keep no state. */
  static final Set<String> HANDLES =
      Set.of(
          "java/lang/invoke/MethodHandle",
          "java/lang/invoke/MethodHandles$Lookup",
          "java/lang/invoke/VarHandle",
          "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
          "java/util/concurrent/atomic/AtomicLongFieldUpdater",
          "java/util/concurrent/atomic/AtomicReferenceFieldUpdater",
          "sun/misc/Unsafe",
          "java/io/ObjectStreamField");

  /** Library classes whose objects cannot change, but may refer to objects that can. */
  static final Set<String> UNCHANGEABLE_COLLECTIONS =
      Set.of(
          "com/google/common/collect/ImmutableList",
          "com/google/common/collect/ImmutableSet",
          "com/google/common/collect/ImmutableMap",
          "com/google/common/collect/ImmutableSortedSet",
          "com/google/common/collect/ImmutableSortedMap",
          "com/google/common/collect/ImmutableBiMap",
          "com/google/common/collect/ImmutableMultimap",
          "com/google/common/collect/ImmutableListMultimap",
          "com/google/common/collect/ImmutableSetMultimap",
          "com/google/common/collect/ImmutableRangeSet",
          "com/google/common/collect/ImmutableTable");

  private static final Pattern CONTAINER =
      Pattern.compile(
          "java/lang/Iterable|java/util/(concurrent/)?\\w*(List|Set|Map|Queue|Deque|Collection|"
              + "Iterator|Entry|Vector|Stack|Hashtable|Dictionary|Properties)|"
              + "java/util/concurrent/atomic/\\w+|com/google/common/(collect|cache)/\\w+|java/util/Map\\$Entry");

  static final Set<String> MESSAGES =
      Set.of(
          "com/google/protobuf/GeneratedMessageV3",
          "com/google/protobuf/GeneratedMessage",
          "com/google/protobuf/GeneratedMessageLite",
          "org/apache/hadoop/thirdparty/protobuf/GeneratedMessageV3",
          "org/apache/hadoop/thirdparty/protobuf/GeneratedMessage",
          "org/apache/hadoop/thirdparty/protobuf/GeneratedMessageLite");

  static final Set<String> OF_PROTOBUF =
      Set.of(
          "com/google/protobuf/GeneratedMessageV3$FieldAccessorTable",
          "com/google/protobuf/GeneratedMessage$FieldAccessorTable",
          "com/google/protobuf/Parser",
          "com/google/protobuf/Internal$EnumLiteMap");

  private static final String RELOCATED = "org/apache/hadoop/thirdparty/";

  private Known() {}

  /** A library's class by its own name, where Hadoop has it under another. */
  static String original(String name) {
    String own = name.startsWith(RELOCATED) ? name.substring(RELOCATED.length()) : name;
    return own.startsWith("protobuf/") ? "com/google/" + own : own;
  }

  static boolean isUnchangeableCollection(String name) {
    return UNCHANGEABLE_COLLECTIONS.contains(original(name));
  }

  /** An array, or a collection, map or atomic that can change. */
  static boolean isContainer(String name) {
    return name.startsWith("[") || CONTAINER.matcher(original(name)).matches();
  }
}
