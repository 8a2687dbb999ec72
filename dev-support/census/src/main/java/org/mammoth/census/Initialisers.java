package org.mammoth.census;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** Judges what a static field refers to by how its class's initialiser makes it, and its uses. */
final class Initialisers {

  private static final String INITIALISER = "<clinit>";
  private static final int CLASSES_KEPT = 64;

  /** Static methods whose result nobody can change. */
  private static final Set<String> UNCHANGEABLE =
      Set.of(
          "java/util/List.of",
          "java/util/List.copyOf",
          "java/util/Set.of",
          "java/util/Set.copyOf",
          "java/util/Map.of",
          "java/util/Map.copyOf",
          "java/util/Map.ofEntries",
          "java/util/Collections.emptyList",
          "java/util/Collections.emptySet",
          "java/util/Collections.emptyMap",
          "java/util/Collections.emptyIterator",
          "java/util/Collections.singleton",
          "java/util/Collections.singletonList",
          "java/util/Collections.singletonMap");

  private static final Set<String> WRAPPING =
      Set.of(
          "unmodifiableList",
          "unmodifiableSet",
          "unmodifiableMap",
          "unmodifiableCollection",
          "unmodifiableSortedMap",
          "unmodifiableSortedSet");

  private final ClassFiles files;
  private final Uses uses;
  private final Immutables immutables;
  private final Elements elements;
  private final Map<String, List<Flow>> flows =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<Flow>> eldest) {
          return size() > CLASSES_KEPT;
        }
      };

  Initialisers(ClassFiles files, Uses uses, Immutables immutables) {
    this.files = files;
    this.uses = uses;
    this.immutables = immutables;
    this.elements = new Elements(immutables);
  }

  /** The category of a field that only its class's initialiser sets. */
  Category ofContent(FieldInfo field) {
    Type type = Type.getType(field.descriptor());
    boolean array = type.getSort() == Type.ARRAY;
    boolean container = array || Known.isCollection(type.getInternalName());
    boolean holdsImmutable = elements.areImmutable(field);
    if (!array && Known.isUnchangeableCollection(type.getInternalName())) {
      return holdsImmutable ? Category.UNCHANGEABLE : Category.CONTAINER;
    }
    List<AbstractInsnNode> makers = makers(field);
    if (!container) {
      return ofObject(field, makers);
    }
    if (isEmptyArray(type, makers)) {
      return Category.UNCHANGEABLE;
    }
    if (!holdsImmutable || makers.isEmpty()) {
      return Category.CONTAINER;
    }
    if (!array && makers.stream().allMatch(maker -> isUnchangeable(field, maker))) {
      return Category.UNCHANGEABLE;
    }
    boolean own = makers.stream().allMatch(Initialisers::isNew) && staysIn(field, makers);
    return own && !field.isVisibleToJobs() && isOnlyRead(field)
        ? Category.READ_ONLY
        : Category.CONTAINER;
  }

  private Category ofObject(FieldInfo field, List<AbstractInsnNode> makers) {
    if (makers.isEmpty()) {
      return uses.of(field).initialised() ? Category.OBJECT : Category.CONSTANT;
    }
    if (makers.stream().allMatch(Initialisers::isPlainLambda)) {
      return Category.LAMBDA;
    }
    boolean lock =
        makers.stream().allMatch(m -> m instanceof TypeInsnNode n && n.desc.equals("java/lang/Object"));
    if (lock) {
      return Category.LOCK;
    }
    return makers.stream().allMatch(this::makesImmutable) ? Category.STATELESS : Category.OBJECT;
  }

  private boolean makesImmutable(AbstractInsnNode maker) {
    return maker.getOpcode() == Opcodes.NEW
            && immutables.isImmutableExactly(((TypeInsnNode) maker).desc)
        || maker.getOpcode() == Opcodes.ACONST_NULL
        || isPlainLambda(maker);
  }

  private static boolean isPlainLambda(AbstractInsnNode maker) {
    return maker instanceof InvokeDynamicInsnNode call && call.desc.startsWith("()");
  }

  private static boolean isEmptyArray(Type type, List<AbstractInsnNode> makers) {
    return type.getSort() == Type.ARRAY
        && !makers.isEmpty()
        && makers.stream().allMatch(
            maker ->
                (maker.getOpcode() == Opcodes.NEWARRAY || maker.getOpcode() == Opcodes.ANEWARRAY)
                    && maker.getPrevious().getOpcode() == Opcodes.ICONST_0);
  }

  private static boolean isNew(AbstractInsnNode maker) {
    return switch (maker.getOpcode()) {
      case Opcodes.NEW -> Known.isCollection(((TypeInsnNode) maker).desc);
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY, Opcodes.MULTIANEWARRAY -> true;
      case Opcodes.INVOKESTATIC -> {
        String owner = ((MethodInsnNode) maker).owner;
        // Arrays.asList writes through to its array, which only the call itself has seen.
        yield owner.equals("java/util/EnumSet") || owner.equals("java/util/Arrays");
      }
      default -> false;
    };
  }

  /** Whether a call gives a collection that cannot be changed, of things only the call has. */
  private boolean isUnchangeable(FieldInfo field, AbstractInsnNode maker) {
    if (!(maker instanceof MethodInsnNode call)) {
      return false;
    }
    String owner = Known.original(call.owner);
    if (UNCHANGEABLE.contains(owner + '.' + call.name)) {
      return true;
    }
    String result = Type.getReturnType(call.desc).getInternalName();
    if (Known.isUnchangeableCollection(result)) {
      return true;
    }
    if (!owner.equals("java/util/Collections") || !WRAPPING.contains(call.name)) {
      return false;
    }
    Flow flow = initialiser(field);
    Set<AbstractInsnNode> wrapped = flow.madeBy(call);
    return !wrapped.isEmpty()
        && wrapped.stream().allMatch(m -> isNew(m) || isUnchangeable(field, m))
        && new Escapes(flow, true, false).onlyReads(wrapped);
  }

  /** What makes the values that the initialiser sets a field to. */
  private List<AbstractInsnNode> makers(FieldInfo field) {
    List<AbstractInsnNode> makers = new ArrayList<>();
    Flow flow = initialiser(field);
    if (flow != null) {
      for (AbstractInsnNode each : flow.method().instructions) {
        if (each.getOpcode() == Opcodes.PUTSTATIC && sets((FieldInsnNode) each, field)) {
          makers.addAll(flow.madeBy(each));
        }
      }
    }
    return makers;
  }

  private static boolean sets(FieldInsnNode put, FieldInfo field) {
    return put.name.equals(field.name()) && put.owner.equals(field.owner());
  }

  private boolean staysIn(FieldInfo field, List<AbstractInsnNode> makers) {
    return new Escapes(initialiser(field), true, false).onlyReads(makers);
  }

  private boolean isOnlyRead(FieldInfo field) {
    boolean ofArrays = field.descriptor().startsWith("[[");
    for (String reader : uses.of(field).readers()) {
      for (Flow flow : flows(reader)) {
        Set<AbstractInsnNode> sources = sources(flow, field);
        boolean accessor = flow.method().name.startsWith("access$");
        boolean building =
            reader.equals(field.owner()) && flow.method().name.equals(INITIALISER);
        if (!sources.isEmpty()
            && !accessor
            && !new Escapes(flow, building, ofArrays).onlyReads(sources)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The instructions of a method that read a field, or call an accessor of it. */
  private Set<AbstractInsnNode> sources(Flow flow, FieldInfo field) {
    Set<AbstractInsnNode> sources = new HashSet<>();
    for (AbstractInsnNode each : flow.method().instructions) {
      boolean reads =
          each.getOpcode() == Opcodes.GETSTATIC && ((FieldInsnNode) each).name.equals(field.name());
      boolean accesses =
          each.getOpcode() == Opcodes.INVOKESTATIC
              && field.equals(
                  uses.accessed(((MethodInsnNode) each).owner, ((MethodInsnNode) each).name));
      if (reads || accesses) {
        sources.add(each);
      }
    }
    return sources;
  }

  private Flow initialiser(FieldInfo field) {
    for (Flow flow : flows(field.owner())) {
      if (flow.method().name.equals(INITIALISER)) {
        return flow;
      }
    }
    return null;
  }

  private List<Flow> flows(String name) {
    List<Flow> known = flows.get(name);
    if (known == null) {
      ClassNode type = new ClassNode();
      new ClassReader(files.code(name)).accept(type, ClassReader.SKIP_DEBUG);
      known = new ArrayList<>();
      for (MethodNode method : type.methods) {
        if (usesStatics(method)) {
          known.add(new Flow(name, method));
        }
      }
      flows.put(name, known);
    }
    return known;
  }

  private static boolean usesStatics(MethodNode method) {
    for (AbstractInsnNode each : method.instructions) {
      int opcode = each.getOpcode();
      if (opcode == Opcodes.GETSTATIC
          || opcode == Opcodes.PUTSTATIC
          || opcode == Opcodes.INVOKESTATIC && ((MethodInsnNode) each).name.startsWith("access$")) {
        return true;
      }
    }
    return false;
  }
}
