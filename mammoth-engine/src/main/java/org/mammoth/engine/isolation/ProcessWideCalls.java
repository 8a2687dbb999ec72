package org.mammoth.engine.isolation;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds in a class the calls that change the whole JVM in ways no rewriting can confine. Immutable,
 * thread-safe.
 *
 * <p>{@code main(String[])} and a Tool's {@code run(String[])} are left out: they run in the
 * client, never in a task.
 */
final class ProcessWideCalls {
  private static final Map<String, Set<String>> CALLS =
      Map.ofEntries(
          Map.entry("java/lang/System", Set.of("load", "loadLibrary", "setSecurityManager")),
          Map.entry("java/lang/Runtime", Set.of("load", "loadLibrary")),
          Map.entry("java/util/TimeZone", Set.of("setDefault")),
          Map.entry("java/util/Locale", Set.of("setDefault")),
          Map.entry("java/net/URL", Set.of("setURLStreamHandlerFactory")),
          Map.entry("java/net/Authenticator", Set.of("setDefault")),
          Map.entry("java/net/ProxySelector", Set.of("setDefault")),
          Map.entry("java/net/CookieHandler", Set.of("setDefault")),
          Map.entry("javax/net/ssl/SSLContext", Set.of("setDefault")),
          Map.entry(
              "javax/net/ssl/HttpsURLConnection",
              Set.of("setDefaultHostnameVerifier", "setDefaultSSLSocketFactory")),
          Map.entry("sun/misc/Signal", Set.of("handle")),
          Map.entry("org/apache/hadoop/conf/Configuration", Set.of("addDefaultResource")),
          Map.entry(
              "org/apache/hadoop/security/UserGroupInformation",
              Set.of(
                  "setConfiguration",
                  "setLoginUser",
                  "loginUserFromKeytab",
                  "loginUserFromSubject")),
          Map.entry(
              "org/apache/log4j/PropertyConfigurator", Set.of("configure", "configureAndWatch")),
          Map.entry(
              "org/apache/log4j/BasicConfigurator", Set.of("configure", "resetConfiguration")),
          Map.entry(
              "org/apache/log4j/xml/DOMConfigurator", Set.of("configure", "configureAndWatch")),
          Map.entry("org/apache/log4j/LogManager", Set.of("resetConfiguration")));

  private static final String COMPARATOR = "org/apache/hadoop/io/WritableComparator";
  private static final String DEFINE = "define";

  /**
   * Looks through one class.
   *
   * @param shared whether a class, by internal name, is one that all tasks share
   * @return what it calls, in words that follow the class's name; null when nothing
   */
  String find(ClassReader reader, Predicate<String> shared) {
    if (!MemberRefs.any(
        reader, (owner, name, descriptor) -> matches(owner, name) || isDefine(owner, name))) {
      return null;
    }
    Look look = new Look(shared);
    reader.accept(look, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return look.found;
  }

  private static boolean matches(String owner, String name) {
    Set<String> names = CALLS.get(owner);
    return names != null && names.contains(name);
  }

  private static boolean isDefine(String owner, String name) {
    return owner.equals(COMPARATOR) && name.equals(DEFINE);
  }

  private static boolean isDriver(String name, String descriptor) {
    return name.equals("main") && descriptor.equals("([Ljava/lang/String;)V")
        || name.equals("run") && descriptor.equals("([Ljava/lang/String;)I");
  }

  private static final class Look extends ClassVisitor {
    private final Predicate<String> shared;
    private String found;

    Look(Predicate<String> shared) {
      super(Opcodes.ASM9);
      this.shared = shared;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return found != null || isDriver(name, descriptor) ? null : new Code();
    }

    private final class Code extends MethodVisitor {
      private String redefinable;

      Code() {
        super(Opcodes.ASM9);
      }

      @Override
      public void visitLdcInsn(Object value) {
        if (value instanceof Type && ((Type) value).getSort() == Type.OBJECT) {
          String type = ((Type) value).getInternalName();
          redefinable = shared.test(type) ? type : redefinable;
        } else if (value instanceof Handle) {
          check(((Handle) value).getOwner(), ((Handle) value).getName());
        }
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String descriptor, boolean isInterface) {
        check(owner, name);
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String descriptor, Handle bootstrap, Object... arguments) {
        for (Object argument : arguments) {
          visitLdcInsn(argument);
        }
      }

      private void check(String owner, String name) {
        if (matches(owner, name)) {
          found = "calls " + owner.replace('/', '.') + "." + name;
        } else if (isDefine(owner, name) && redefinable != null) {
          // A comparator for a key class of the job's own stays with the job: its loader keeps it
          // apart.
          found = "defines how all tasks order " + redefinable.replace('/', '.');
        }
      }
    }
  }
}
