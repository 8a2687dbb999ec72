package org.mammoth.census;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** What methods of the JDK and of Guava do with a container that they are called on or given. */
final class Calls {

  private static final Set<String> READING =
      Set.of(
          "size", "isEmpty", "contains", "containsKey", "containsValue", "containsAll", "get",
          "getOrDefault", "getProperty", "stringPropertyNames", "indexOf", "lastIndexOf", "equals",
          "hashCode", "toString", "toArray", "first", "last", "firstKey", "lastKey", "floorKey",
          "ceilingKey", "higherKey", "lowerKey", "floor", "ceiling", "higher", "lower",
          "firstEntry", "lastEntry", "floorEntry", "ceilingEntry", "higherEntry", "lowerEntry",
          "peek", "getFirst", "getLast", "element", "elementAt", "firstElement", "lastElement",
          "elements", "stream", "parallelStream", "forEach", "nextSetBit", "nextClearBit",
          "cardinality", "length", "clone", "getClass", "comparator", "intersects");

  private static final Set<String> VIEWS =
      Set.of(
          "keySet", "values", "subList", "headMap", "tailMap", "subMap", "headSet", "tailSet",
          "subSet", "descendingMap", "descendingSet", "descendingKeySet", "navigableKeySet");

  private static final Set<String> ITERATORS =
      Set.of("iterator", "listIterator", "descendingIterator");

  private static final Set<String> STEPS =
      Set.of("hasNext", "next", "hasPrevious", "previous", "nextIndex", "previousIndex");

  private static final Set<String> OF_ENTRY =
      Set.of("getKey", "getValue", "equals", "hashCode", "toString");

  /** Static methods and constructors that only look at what they are given, or copy it. */
  private static final Set<String> LOOKING =
      Set.of(
          "java/lang/String.valueOf",
          "java/lang/String.join",
          "java/lang/String.<init>",
          "java/lang/StringBuilder.append",
          "java/lang/StringBuffer.append",
          "java/lang/reflect/Array.getLength",
          "java/util/Arrays.copyOf",
          "java/util/Arrays.copyOfRange",
          "java/util/Arrays.binarySearch",
          "java/util/Arrays.equals",
          "java/util/Arrays.hashCode",
          "java/util/Arrays.toString",
          "java/util/Arrays.deepToString",
          "java/util/Arrays.stream",
          "java/util/stream/Stream.of",
          "java/util/stream/IntStream.of",
          "java/util/Objects.equals",
          "java/util/Objects.hash",
          "java/util/Objects.hashCode",
          "java/util/Objects.toString",
          "java/util/Collections.max",
          "java/util/Collections.min",
          "java/util/Collections.frequency",
          "java/util/Collections.disjoint",
          "java/util/Collections.unmodifiableCollection",
          "java/util/Collections.unmodifiableList",
          "java/util/Collections.unmodifiableSet",
          "java/util/Collections.unmodifiableSortedSet",
          "java/util/Collections.unmodifiableMap",
          "java/util/Collections.unmodifiableSortedMap",
          "java/util/EnumSet.copyOf",
          "java/util/List.of",
          "java/util/List.copyOf",
          "java/util/Set.of",
          "java/util/Set.copyOf",
          "java/util/Map.copyOf",
          "java/util/BitSet.or",
          "java/util/BitSet.and",
          "java/util/BitSet.andNot",
          "java/util/BitSet.xor",
          "java/util/BitSet.intersects",
          "java/io/ByteArrayOutputStream.write",
          "java/io/DataOutputStream.write",
          "java/io/OutputStream.write",
          "java/io/DataOutput.write",
          "java/security/MessageDigest.update",
          "java/util/zip/CRC32.update",
          "java/util/zip/Checksum.update");

  private static final Set<String> COPYING_TYPES =
      Set.of(
          "java/util/ArrayList", "java/util/LinkedList", "java/util/Vector", "java/util/HashSet",
          "java/util/LinkedHashSet", "java/util/TreeSet", "java/util/HashMap",
          "java/util/LinkedHashMap", "java/util/TreeMap", "java/util/EnumMap",
          "java/util/Hashtable", "java/util/ArrayDeque", "java/util/concurrent/ConcurrentHashMap",
          "java/util/concurrent/CopyOnWriteArrayList");

  private static final Set<String> BULK =
      Set.of("addAll", "putAll", "containsAll", "removeAll", "retainAll", "equals");

  private static final Set<String> GUAVA_COPIES =
      Set.of("copyOf", "newHashSet", "newArrayList", "newTreeSet", "newLinkedHashSet", "putAll");

  private Calls() {}

  static boolean reads(String method) {
    return READING.contains(method);
  }

  static boolean isView(String method) {
    return VIEWS.contains(method);
  }

  static boolean iterates(String method) {
    return ITERATORS.contains(method);
  }

  static boolean steps(String method) {
    return STEPS.contains(method);
  }

  static boolean readsEntry(String method) {
    return OF_ENTRY.contains(method);
  }

  /** Whether a call leaves a container that it is given as it is, and does not keep it. */
  static boolean looks(MethodInsnNode call, int argument) {
    String owner = Known.original(call.owner);
    if (owner.equals("java/lang/System") && call.name.equals("arraycopy")) {
      return argument == 0;
    }
    return LOOKING.contains(owner + '.' + call.name)
        || call.name.equals("<init>") && COPYING_TYPES.contains(owner)
        || owner.startsWith("java/util/") && BULK.contains(call.name)
        || owner.startsWith("com/google/common/") && GUAVA_COPIES.contains(call.name);
  }

  /** Whether a call gives back what it is given, or a view of it. */
  static boolean passes(MethodInsnNode call) {
    return call.owner.equals("java/util/Objects") && call.name.equals("requireNonNull")
        || call.owner.equals("java/util/Arrays") && call.name.equals("asList")
        || call.owner.endsWith("/Preconditions") && call.name.equals("checkNotNull");
  }
}
