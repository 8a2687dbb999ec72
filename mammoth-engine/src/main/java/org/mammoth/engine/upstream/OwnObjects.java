// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/**
 * Has a class of Hadoop's make an object of a class of ours where it makes one of its own, which
 * ours extends and has the constructor of. Programs see upstream's class in front of it: a file
 * system of a class of ours would have statistics of its own, and be equal to no class they know.
 * Immutable.
 *
 * @param owner internal name of Hadoop's class
 * @param upstreams internal name of what it makes, in one place
 * @param ours internal name of what is made instead
 * @param needed a method that ours extends and that not all versions of Hadoop have, as internal
 *     name, dot, name and descriptor; where it is missing, upstream's stays
 */
public record OwnObjects(String owner, String upstreams, String ours, String needed) {

  /** An ApplicationMaster's pages, made when somebody looks. */
  public static final OwnObjects PAGES =
      new OwnObjects(
          "org/apache/hadoop/mapreduce/v2/app/client/MRClientService",
          "org/apache/hadoop/mapreduce/v2/app/webapp/AMWebApp",
          "org/mammoth/mapreduce/appmaster/LateWebApp",
          "com/sun/jersey/guice/spi/container/servlet/GuiceContainer"
              + ".<init>(Lcom/google/inject/Injector;)V");

  /** The client of HDFS, which tasks of an engine read and write through. */
  public static final OwnObjects HDFS =
      new OwnObjects(
          "org/apache/hadoop/hdfs/DistributedFileSystem",
          "org/apache/hadoop/hdfs/DFSClient",
          "org/apache/hadoop/hdfs/EngineClient",
          "org/apache/hadoop/hdfs/DFSInputStream"
              + ".fetchBlockByteRange(Lorg/apache/hadoop/hdfs/protocol/LocatedBlock;JJLjava/nio/ByteBuffer;"
              + "Lorg/apache/hadoop/hdfs/DFSUtilClient$CorruptedBlocks;)V");

  private static final Map<String, OwnObjects> BY_OWNER =
      Stream.of(PAGES, HDFS).collect(Collectors.toMap(OwnObjects::owner, Function.identity()));

  /** What is made in a class of this internal name; null for all others. */
  public static OwnObjects madeIn(String owner) {
    return BY_OWNER.get(owner);
  }

  /**
   * The owner so changed; nothing if it does not make one such object in one place, or if ours does
   * not fit this Hadoop.
   */
  public Optional<byte[]> rewrite(byte[] original) {
    if (!fits()) {
      return Optional.empty();
    }
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, 0);
    Making making = new Making(writer);
    reader.accept(making, 0);
    return making.made == 1 && making.constructed == 1
        ? Optional.of(writer.toByteArray())
        : Optional.empty();
  }

  private boolean fits() {
    int dot = needed.indexOf('.');
    String method = needed.substring(dot + 1);
    try (InputStream file =
        OwnObjects.class
            .getClassLoader()
            .getResourceAsStream(needed.substring(0, dot) + ".class")) {
      if (file == null) {
        return false;
      }
      ClassNode type = new ClassNode();
      new ClassReader(file).accept(type, ClassReader.SKIP_CODE);
      return type.methods.stream().anyMatch(each -> method.equals(each.name + each.desc));
    } catch (IOException e) {
      throw new UncheckedIOException(needed + " cannot be looked for", e);
    }
  }

  /** Replaces one construction. */
  private final class Making extends ClassVisitor {
    private int made;
    private int constructed;

    Making(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitTypeInsn(int opcode, String type) {
          boolean is = opcode == Opcodes.NEW && type.equals(upstreams);
          made += is ? 1 : 0;
          super.visitTypeInsn(opcode, is ? ours : type);
        }

        @Override
        public void visitMethodInsn(
            int opcode, String of, String method, String arguments, boolean isInterface) {
          boolean is = opcode == Opcodes.INVOKESPECIAL && of.equals(upstreams);
          constructed += is ? 1 : 0;
          super.visitMethodInsn(opcode, is ? ours : of, method, arguments, isInterface);
        }
      };
    }
  }
}
