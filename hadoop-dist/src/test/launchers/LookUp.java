// SPDX-License-Identifier: Apache-2.0
import java.lang.reflect.Modifier;
import java.util.Collections;

/**
 * Looks things up on its class path: {@code class NAME...} prints the names that are no class with a main method, {@code
 * resource NAME...} prints where each name is found.
 */
final class LookUp {

  private LookUp() {}

  public static void main(String[] args) throws Exception {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    for (int i = 1; i < args.length; i++) {
      if (args[0].equals("class")) {
        if (!runs(args[i], loader)) {
          System.out.println(args[i]);
        }
      } else {
        Collections.list(loader.getResources(args[i])).forEach(System.out::println);
      }
    }
  }

  private static boolean runs(String name, ClassLoader loader) {
    try {
      Class<?> found = Class.forName(name, false, loader);
      return Modifier.isStatic(found.getMethod("main", String[].class).getModifiers());
    } catch (ReflectiveOperationException | LinkageError e) {
      return false;
    }
  }
}
