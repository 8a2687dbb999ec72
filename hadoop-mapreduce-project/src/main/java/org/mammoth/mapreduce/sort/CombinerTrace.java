// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Interpreter;
import org.objectweb.asm.tree.analysis.Value;

/**
 * Follows the key, the combiner itself and the objects in its fields through a {@code reduce}
 * method, and ends with an error at the first use of them that {@link CombinerCode} does not allow.
 * The key may be written, copied and asked for what it holds; a Writable in a field may be set and
 * written, but not asked, as it may hold what an earlier group has left; the combiner may call
 * another {@code reduce} of its own. All else that is called is known to keep nothing.
 *
 * <p>One thread at a time.
 */
final class CombinerTrace extends Interpreter<CombinerTrace.Traced> {

  /**
   * What a value may be.
   *
   * @param may bits of the constants below, none of them if it may be neither
   * @param field the name of the field it comes from; null if it comes from none, or from several
   */
  record Traced(int size, int may, String field) implements Value {

    Traced(int size, int may) {
      this(size, may, null);
    }

    @Override
    public int getSize() {
      return size;
    }
  }

  private static final int KEY = 1;
  private static final int FIELD = 2;
  private static final int COMBINER = 4;

  private static final Traced NOTHING = new Traced(1, 0);
  private static final Traced WIDE = new Traced(2, 0);

  private static final String IO = "org/apache/hadoop/io/";
  private static final String TEXT = IO + "Text";

  private static final Set<String> NUMBERS =
      Set.of(
          IO + "IntWritable",
          IO + "LongWritable",
          IO + "ShortWritable",
          IO + "ByteWritable",
          IO + "BooleanWritable",
          IO + "FloatWritable",
          IO + "DoubleWritable",
          IO + "VIntWritable",
          IO + "VLongWritable",
          IO + "NullWritable");

  /** What a Writable is asked without being changed. */
  private static final Set<String> QUESTIONS =
      Set.of("get", "toString", "getLength", "hashCode", "equals", "compareTo");

  /** What gives an object its contents, whatever it held. */
  private static final Set<String> FILLING = Set.of("<init>", "set");

  /** Classes all of whose methods neither keep nor change anything but their own object. */
  private static final Set<String> HARMLESS =
      Set.of(
          "java/lang/Math",
          "java/lang/StrictMath",
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/lang/Byte",
          "java/lang/Short",
          "java/lang/Character",
          "java/lang/Boolean",
          "java/lang/Float",
          "java/lang/Double",
          "java/util/Iterator",
          "java/lang/Iterable");

  /** Of these not all: {@code Integer.getInteger} reads a property. */
  private static final Set<String> NUMBER_BOXES = Set.of("java/lang/Integer", "java/lang/Long");

  /** What adds up whatever the order. */
  private static final Set<String> COUNTING =
      Set.of(
          "org/apache/hadoop/mapreduce/Counter.increment",
          "org/apache/hadoop/mapreduce/Reducer$Context.getCounter",
          "org/apache/hadoop/mapreduce/Reducer$Context.progress",
          "org/apache/hadoop/mapred/Reporter.incrCounter",
          "org/apache/hadoop/mapred/Reporter.progress");

  private static final Set<String> WRITING =
      Set.of(
          "org/apache/hadoop/mapreduce/Reducer$Context.write",
          "org/apache/hadoop/mapred/OutputCollector.collect");

  private static final Set<Integer> FORBIDDEN =
      Set.of(
          Opcodes.PUTSTATIC,
          Opcodes.MONITORENTER,
          Opcodes.MONITOREXIT,
          Opcodes.NEWARRAY,
          Opcodes.ANEWARRAY,
          Opcodes.ARRAYLENGTH);

  private final Set<String> own = new HashSet<>();

  /** The field whose object an instruction sets. */
  private final Map<AbstractInsnNode, String> set = new HashMap<>();

  /** The fields whose objects an instruction writes. */
  private final Map<AbstractInsnNode, List<String>> written = new HashMap<>();

  CombinerTrace(Class<?> combiner) {
    super(Opcodes.ASM9);
    for (Class<?> each = combiner; each != null; each = each.getSuperclass()) {
      own.add(Type.getInternalName(each));
    }
    own.remove("java/lang/Object");
  }

  private static AnalyzerException not(AbstractInsnNode instruction) {
    return new AnalyzerException(instruction, "not a combiner of one group");
  }

  private static Traced of(Type type) {
    return type.getSize() == 2 ? WIDE : NOTHING;
  }

  @Override
  public Traced newValue(Type type) {
    return type == Type.VOID_TYPE ? null : type == null ? NOTHING : of(type);
  }

  @Override
  public Traced newParameterValue(boolean isInstanceMethod, int local, Type type) {
    return local == 0 ? new Traced(1, COMBINER) : local == 1 ? keyOf(type) : of(type);
  }

  private static Traced keyOf(Type type) {
    return type.getSize() == 2 ? WIDE : new Traced(1, KEY);
  }

  @Override
  public Traced newOperation(AbstractInsnNode instruction) throws AnalyzerException {
    switch (instruction.getOpcode()) {
      case Opcodes.GETSTATIC:
        return field((FieldInsnNode) instruction, COMBINER);
      case Opcodes.NEW:
        return NOTHING;
      case Opcodes.LCONST_0:
      case Opcodes.LCONST_1:
      case Opcodes.DCONST_0:
      case Opcodes.DCONST_1:
        return WIDE;
      case Opcodes.LDC:
        return constant((LdcInsnNode) instruction);
      case Opcodes.JSR:
        throw not(instruction);
      default:
        return NOTHING;
    }
  }

  private static Traced constant(LdcInsnNode instruction) throws AnalyzerException {
    Object constant = instruction.cst;
    if (constant instanceof Type || constant instanceof Handle) {
      throw not(instruction);
    }
    return constant instanceof Long || constant instanceof Double
        ? WIDE
        : constant instanceof String || constant instanceof Number ? NOTHING : none(instruction);
  }

  private static Traced none(AbstractInsnNode instruction) throws AnalyzerException {
    throw not(instruction);
  }

  /** Reads a field of the combiner's: no reduce changes one that is no object. */
  private Traced field(FieldInsnNode field, int of) throws AnalyzerException {
    Type type = Type.getType(field.desc);
    if (of != COMBINER || !own.contains(field.owner)) {
      throw not(field);
    }
    boolean plain =
        type.getSort() < Type.ARRAY || type.getInternalName().equals("java/lang/String");
    if (plain) {
      return of(type);
    }
    String name = type.getInternalName();
    if (name.equals(TEXT) || NUMBERS.contains(name)) {
      return new Traced(1, FIELD, field.name);
    }
    throw not(field);
  }

  @Override
  public Traced copyOperation(AbstractInsnNode instruction, Traced value) throws AnalyzerException {
    if ((value.may() & FIELD) != 0) {
      throw not(instruction);
    }
    return value;
  }

  @Override
  public Traced unaryOperation(AbstractInsnNode instruction, Traced value)
      throws AnalyzerException {
    if (FORBIDDEN.contains(instruction.getOpcode())) {
      throw not(instruction);
    }
    switch (instruction.getOpcode()) {
      case Opcodes.GETFIELD:
        return field((FieldInsnNode) instruction, value.may());
      case Opcodes.CHECKCAST:
        return value;
      case Opcodes.LNEG:
      case Opcodes.DNEG:
      case Opcodes.I2L:
      case Opcodes.I2D:
      case Opcodes.L2D:
      case Opcodes.F2L:
      case Opcodes.F2D:
      case Opcodes.D2L:
        return WIDE;
      default:
        return NOTHING;
    }
  }

  @Override
  public Traced binaryOperation(AbstractInsnNode instruction, Traced left, Traced right)
      throws AnalyzerException {
    int operation = instruction.getOpcode();
    boolean ofArray = operation >= Opcodes.IALOAD && operation <= Opcodes.SALOAD;
    if (ofArray || operation == Opcodes.PUTFIELD) {
      throw not(instruction);
    }
    boolean comparison = operation >= Opcodes.LCMP && operation <= Opcodes.DCMPG;
    return comparison ? NOTHING : new Traced(left.size(), 0);
  }

  @Override
  public Traced ternaryOperation(
      AbstractInsnNode instruction, Traced first, Traced second, Traced third)
      throws AnalyzerException {
    throw not(instruction);
  }

  @Override
  public Traced naryOperation(AbstractInsnNode instruction, List<? extends Traced> values)
      throws AnalyzerException {
    if (!(instruction instanceof MethodInsnNode call) || !isAllowed(call, values)) {
      throw not(instruction);
    }
    Type result = Type.getReturnType(call.desc);
    return result == Type.VOID_TYPE ? null : of(result);
  }

  private boolean isAllowed(MethodInsnNode call, List<? extends Traced> values) {
    boolean onObject = call.getOpcode() != Opcodes.INVOKESTATIC;
    int receiver = onObject ? values.get(0).may() : 0;
    int arguments = 0;
    for (Traced value : values.subList(onObject ? 1 : 0, values.size())) {
      arguments |= value.may();
    }
    String name = call.owner + "." + call.name;
    if (WRITING.contains(name)) {
      note(call, values);
      return receiver == 0 && (arguments & COMBINER) == 0;
    }
    if (receiver == COMBINER) {
      return isOtherReduce(call, values);
    }
    // The bytes of a key are copied.
    boolean copies = call.owner.equals(TEXT) && FILLING.contains(call.name);
    if (receiver == FIELD) {
      set.put(call, values.get(0).field());
    }
    return (arguments == 0 || arguments == KEY && copies) && isAllowedOf(receiver, call, name);
  }

  private void note(MethodInsnNode call, List<? extends Traced> values) {
    List<String> fields = new ArrayList<>();
    for (Traced value : values) {
      if ((value.may() & FIELD) != 0) {
        fields.add(value.field());
      }
    }
    written.put(call, fields);
  }

  /**
   * Whether what is written of a field's object was set for the same group: by the instructions
   * just before, with no way around them. Asked after the method was followed.
   */
  boolean setsWhatItWrites(InsnList method) {
    Set<String> fresh = new HashSet<>();
    for (AbstractInsnNode instruction : method) {
      boolean straight =
          !(instruction instanceof LabelNode) && !(instruction instanceof JumpInsnNode);
      if (!straight) {
        fresh.clear();
      }
      if (set.containsKey(instruction)) {
        fresh.add(set.get(instruction));
      }
      if (!fresh.containsAll(written.getOrDefault(instruction, List.of()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAllowedOf(int receiver, MethodInsnNode call, String name) {
    boolean isNumber = NUMBERS.contains(call.owner);
    switch (receiver) {
      case FIELD:
        return (isNumber || call.owner.equals(TEXT)) && call.name.equals("set");
      case KEY:
        return (isNumber || call.owner.equals(TEXT)) && asks(call);
      case 0:
        return isNumber || keepsNothing(call, name);
      default:
        return false;
    }
  }

  private static boolean asks(MethodInsnNode call) {
    return QUESTIONS.contains(call.name);
  }

  private static boolean keepsNothing(MethodInsnNode call, String name) {
    boolean ofText = call.owner.equals(TEXT) && (asks(call) || FILLING.contains(call.name));
    boolean ofBox = NUMBER_BOXES.contains(call.owner) && !name.matches(".*\\.(getInteger|getLong)");
    // Of an object of an unknown class they would call toString.
    boolean ofUnknown = call.desc.contains("java/lang/Object;)");
    return ofText
        || ofBox
        || HARMLESS.contains(call.owner) && !ofUnknown
        || COUNTING.contains(name);
  }

  /** The method that the compiler adds for a generic one, or one of a superclass. */
  private boolean isOtherReduce(MethodInsnNode call, List<? extends Traced> values) {
    if (!call.name.equals("reduce") || !own.contains(call.owner)) {
      return false;
    }
    for (Traced value : values.subList(2, values.size())) {
      if (value.may() != 0) {
        return false;
      }
    }
    return values.get(1).may() == KEY;
  }

  @Override
  public void returnOperation(AbstractInsnNode instruction, Traced value, Traced expected)
      throws AnalyzerException {
    throw not(instruction);
  }

  @Override
  public Traced merge(Traced one, Traced other) {
    return one.equals(other)
        ? one
        : new Traced(Math.min(one.size(), other.size()), one.may() | other.may());
  }
}
