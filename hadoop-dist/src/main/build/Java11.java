// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Makes class files of Java 17 ones that Java 11 loads, as NodeManagers, DataNodes and clients of older clusters have
 * it. Records become plain classes, and what Java 11 does not have is asked of org.mammoth.config.java11. Engines need
 * Java 17, so calls of its API that only they make stay as they are; a test of dev-support/census says that only they do.
 *
 * <p>Arguments: JAR...
 */
public final class Java11 {

  private static final Map<String, String> NAMES =
      Map.of(
          "java/lang/Record", "java/lang/Object",
          "java/lang/runtime/ObjectMethods", "org/mammoth/config/java11/ObjectMethods",
          "java/lang/invoke/TypeDescriptor", "java/lang/invoke/MethodType");

  public static void main(String[] args) throws IOException {
    for (String jar : args) {
      convert(Path.of(jar));
    }
  }

  private static void convert(Path jar) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipFile in = new ZipFile(jar.toFile());
        ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Enumeration<? extends ZipEntry> all = in.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        byte[] content = in.getInputStream(entry).readAllBytes();
        ZipEntry copy = new ZipEntry(entry.getName());
        // Two builds give the same bytes.
        copy.setTimeLocal(entry.getTimeLocal());
        out.putNextEntry(copy);
        out.write(entry.getName().endsWith(".class") ? converted(content) : content);
      }
    }
    Files.write(jar, bytes.toByteArray());
  }

  private static byte[] converted(byte[] code) {
    ClassReader reader = new ClassReader(code);
    reader.accept(new SameDescriptors(), ClassReader.SKIP_CODE);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(new ClassRemapper(new OlderApi(new OlderForm(writer)), new SimpleRemapper(Opcodes.ASM9, NAMES)), 0);
    return writer.toByteArray();
  }

  /** Whoever is compiled with the classes of the sources links with the jar, too. */
  private static final class SameDescriptors extends ClassVisitor {
    private String type;

    SameDescriptors() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
      type = name;
    }

    @Override
    public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
      check(name, descriptor);
      return null;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      check(name, descriptor);
      return null;
    }

    private void check(String name, String descriptor) {
      if (NAMES.keySet().stream().anyMatch(each -> descriptor.contains("L" + each + ";"))) {
        throw new IllegalStateException(type + "." + name + descriptor + " would have another type on Java 11: use Object");
      }
    }
  }

  /**
   * The attributes and the version. What a record tells Jackson by being one, annotations tell it of a plain class; where
   * there is no Jackson, the JVM leaves them out.
   */
  private static final class OlderForm extends ClassVisitor {
    private static final String JACKSON = "Lcom/fasterxml/jackson/annotation/";

    private final List<String> components = new ArrayList<>();
    private final StringBuilder types = new StringBuilder();

    OlderForm(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
      super.visit(Opcodes.V11, access & ~Opcodes.ACC_RECORD, name, signature, above, interfaces);
    }

    @Override
    public RecordComponentVisitor visitRecordComponent(String name, String descriptor, String signature) {
      components.add(name);
      types.append(descriptor);
      return null;
    }

    @Override
    public void visitPermittedSubclass(String name) {
      // Java 11 seals nothing.
    }

    @Override
    public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
      FieldVisitor field = super.visitField(access, name, descriptor, signature, value);
      if ((access & Opcodes.ACC_STATIC) == 0 && components.contains(name)) {
        property(field.visitAnnotation(JACKSON + "JsonProperty;", true), name);
      }
      return field;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (name.equals("<init>") && !components.isEmpty() && descriptor.equals("(" + types + ")V")) {
        method.visitAnnotation(JACKSON + "JsonCreator;", true).visitEnd();
        for (int i = 0; i < components.size(); i++) {
          property(method.visitParameterAnnotation(i, JACKSON + "JsonProperty;", true), components.get(i));
        }
      }
      return method;
    }

    private static void property(AnnotationVisitor annotation, String name) {
      annotation.visit("value", name);
      annotation.visitEnd();
    }
  }

  /** The calls. */
  private static final class OlderApi extends ClassVisitor {
    OlderApi(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
          if (owner.equals("java/util/stream/Stream") && called.equals("toList")) {
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                "org/mammoth/config/java11/Streams",
                "toList",
                "(Ljava/util/stream/Stream;)Ljava/util/List;",
                false);
          } else {
            super.visitMethodInsn(opcode, owner, called, type, isInterface);
          }
        }
      };
    }
  }
}
