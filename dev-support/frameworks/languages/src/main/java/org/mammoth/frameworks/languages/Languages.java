// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.languages;

import bsh.Interpreter;
import clojure.lang.RT;
import groovy.lang.GroovyShell;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Member;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import ognl.MemberAccess;
import ognl.Ognl;
import ognl.OgnlContext;
import org.apache.commons.jexl3.JexlBuilder;
import org.apache.commons.jexl3.MapContext;
import org.apache.commons.jexl3.introspection.JexlPermissions;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;
import org.mozilla.javascript.Context;
import org.openjdk.nashorn.api.scripting.NashornScriptEngineFactory;
import org.python.util.PythonInterpreter;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import scala.Option;
import scala.tools.nsc.Settings;
import scala.tools.nsc.interpreter.IMain;
import scala.tools.nsc.interpreter.shell.ReplReporterImpl;

/** The languages by name. */
final class Languages {

  private Languages() {}

  /** A language: which program of the resources it runs, and how. */
  record Language(String program, Speaker speaker) {}

  static Map<String, Language> all() {
    Map<String, Language> all = new TreeMap<>();
    all.put("beanshell", new Language("beanshell", text -> new Interpreter().eval(text)));
    all.put(
        "clojure",
        new Language("clojure", text -> RT.var("clojure.core", "load-string").invoke(text)));
    all.put("groovy", new Language("groovy", text -> new GroovyShell().evaluate(text)));
    all.put("javac", new Language("java", Languages::compiled));
    all.put("jexl", new Language("jexl", Languages::jexl));
    all.put("jruby", new Language("ruby", Languages::ruby));
    all.put("jshell", new Language("java", Languages::shell));
    all.put("jython", new Language("python", Languages::python));
    all.put(
        "nashorn",
        new Language(
            "javascript", text -> new NashornScriptEngineFactory().getScriptEngine().eval(text)));
    all.put("ognl", new Language("ognl", Languages::ognl));
    all.put("rhino", new Language("javascript", text -> rhino(text, false)));
    all.put("rhino-interpreted", new Language("javascript", text -> rhino(text, true)));
    all.put("scala", new Language("scala", Languages::scala));
    all.put(
        "spel",
        new Language("spel", text -> new SpelExpressionParser().parseExpression(text).getValue()));
    return all;
  }

  /** Compiles a class to the task's folder and has a loader that knows no parent's name load it. */
  private static Object compiled(String program) throws Exception {
    Path folder = Files.createTempDirectory("compiled");
    Path source = folder.resolve("Compiled.java");
    Files.writeString(
        source,
        "public class Compiled implements java.util.concurrent.Callable<String> {"
            + " public String call() throws Exception { "
            + program
            + " return seen; } }");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    boolean good;
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-d", folder.toString());
      good =
          compiler
              .getTask(null, files, null, options, null, files.getJavaFileObjects(source))
              .call();
    }
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      Object made = loader.loadClass("Compiled").getDeclaredConstructor().newInstance();
      return good + " " + ((Callable<?>) made).call();
    }
  }

  private static Object jexl(String program) {
    MapContext names = new MapContext();
    names.set("System", System.class);
    return new JexlBuilder()
        .permissions(JexlPermissions.UNRESTRICTED)
        .create()
        .createScript(program)
        .execute(names);
  }

  private static Object ruby(String program) {
    ScriptingContainer container = new ScriptingContainer(LocalContextScope.SINGLETHREAD);
    try {
      return container.runScriptlet(program);
    } finally {
      container.terminate();
    }
  }

  /** The JDK's own shell, in this JVM. */
  private static Object shell(String program) {
    try (JShell shell = JShell.builder().executionEngine("local").build()) {
      String rest = program;
      while (!rest.isBlank()) {
        var next = shell.sourceCodeAnalysis().analyzeCompletion(rest);
        for (SnippetEvent event : shell.eval(next.source())) {
          if (event.exception() != null || event.status() != Snippet.Status.VALID) {
            return "failed: " + event;
          }
        }
        rest = next.remaining();
      }
      return shell.eval("seen").get(0).value();
    }
  }

  private static Object python(String program) {
    try (PythonInterpreter interpreter = new PythonInterpreter()) {
      interpreter.exec(program);
      return interpreter.get("answer");
    }
  }

  private static Object rhino(String program, boolean isInterpreted) {
    Context context = Context.enter();
    try {
      context.setInterpretedMode(isInterpreted);
      return Context.toString(
          context.evaluateString(context.initStandardObjects(), program, "program", 1, null));
    } finally {
      Context.exit();
    }
  }

  private static Object scala(String program) {
    Settings settings = new Settings();
    ((scala.tools.nsc.settings.MutableSettings.StringSetting) settings.classpath())
        .value_$eq(System.getProperty("java.class.path"));
    StringWriter told = new StringWriter();
    IMain main = new IMain(settings, new ReplReporterImpl(settings, new PrintWriter(told)));
    main.interpret(program);
    Option<Object> answer = main.valueOfTerm("answer");
    return answer.isEmpty() ? "failed: " + told : answer.get();
  }

  private static Object ognl(String program) throws Exception {
    OgnlContext context = Ognl.createDefaultContext(new Object(), new All());
    return Ognl.getValue(program.replace("@System@", "@java.lang.System@"), context, new Object());
  }

  /** Lets expressions use all members. */
  private static final class All implements MemberAccess {
    @Override
    public Object setup(OgnlContext context, Object target, Member member, String name) {
      return null;
    }

    @Override
    public void restore(
        OgnlContext context, Object target, Member member, String name, Object state) {}

    @Override
    public boolean isAccessible(OgnlContext context, Object target, Member member, String name) {
      return true;
    }
  }
}
