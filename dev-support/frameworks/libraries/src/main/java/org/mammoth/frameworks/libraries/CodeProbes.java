// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.libraries;

import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;

/** Code made at run time, containers of beans, languages in languages. */
final class CodeProbes {
  private CodeProbes() {}

  /** What is proxied. */
  public static class Greeter {
    /** Greets. */
    public String greet() {
      return "hello";
    }
  }

  /** What is injected. */
  public static class Service {
    @jakarta.inject.Inject Greeter greeter;
  }

  /** A bean with constraints. */
  public static class Limited {
    @jakarta.validation.constraints.Max(3)
    public int number = 7;
  }

  static void add(Map<String, Probe> probes) {
    probes.put(
        "bytebuddy",
        () ->
            new ByteBuddy()
                .subclass(Greeter.class)
                .method(ElementMatchers.named("greet"))
                .intercept(FixedValue.value("hi"))
                .make()
                .load(Greeter.class.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
                .getLoaded()
                .getDeclaredConstructor()
                .newInstance()
                .greet());
    probes.put(
        "bytebuddy-inject",
        () ->
            new ByteBuddy()
                .subclass(Greeter.class)
                .name("org.mammoth.frameworks.libraries.Made")
                .method(ElementMatchers.named("greet"))
                .intercept(FixedValue.value("hi"))
                .make()
                .load(
                    Greeter.class.getClassLoader(),
                    ClassLoadingStrategy.UsingLookup.of(java.lang.invoke.MethodHandles.lookup()))
                .getLoaded()
                .getDeclaredConstructor()
                .newInstance()
                .greet());
    probes.put("javassist", CodeProbes::javassist);
    probes.put(
        "janino",
        () -> {
          var e = new org.codehaus.janino.ExpressionEvaluator();
          e.setParameters(new String[] {"a"}, new Class<?>[] {int.class});
          e.setExpressionType(int.class);
          e.cook("a * 7");
          return e.evaluate(new Object[] {6});
        });
    probes.put("janino-class", CodeProbes::janinoClass);
    probes.put("cglib", CodeProbes::cglib);
    probes.put(
        "proxy",
        () ->
            java.lang.reflect.Proxy.newProxyInstance(
                        CodeProbes.class.getClassLoader(),
                        new Class<?>[] {java.util.concurrent.Callable.class},
                        (p, m, a) -> m.getName())
                    instanceof java.util.concurrent.Callable<?> c
                ? c.call()
                : "");
    probes.put(
        "mvel", () -> org.mvel2.MVEL.eval("x * 3 + [1,2].size()", new HashMap<>(Map.of("x", 4))));
    probes.put(
        "jexl",
        () ->
            new org.apache.commons.jexl3.JexlBuilder()
                .create()
                .createExpression("[1,2,3].size() + x")
                .evaluate(new org.apache.commons.jexl3.MapContext(Map.of("x", 4))));
    probes.put(
        "spel",
        () ->
            new org.springframework.expression.spel.standard.SpelExpressionParser()
                .parseExpression("{1,2,3}.![#this * 2]")
                .getValue());
    probes.put(
        "spel-compiled",
        () -> {
          var c =
              new org.springframework.expression.spel.SpelParserConfiguration(
                  org.springframework.expression.spel.SpelCompilerMode.IMMEDIATE,
                  CodeProbes.class.getClassLoader());
          var e =
              new org.springframework.expression.spel.standard.SpelExpressionParser(c)
                  .parseExpression("number + 1");
          Object a = e.getValue(new Limited());
          return a + " " + e.getValue(new Limited());
        });
    probes.put("spring", CodeProbes::spring);
    probes.put(
        "guice",
        () -> com.google.inject.Guice.createInjector().getInstance(Service.class).greeter.greet());
    probes.put(
        "validator",
        () ->
            jakarta.validation.Validation.buildDefaultValidatorFactory()
                .getValidator()
                .validate(new Limited())
                .iterator()
                .next()
                .getMessage());
    probes.put("velocity", CodeProbes::velocity);
    probes.put(
        "freemarker",
        () -> {
          var w = new StringWriter();
          new freemarker.template.Template(
                  "t",
                  "Hi ${name?upper_case} <#list 1..3 as i>${i}</#list>",
                  new freemarker.template.Configuration(
                      freemarker.template.Configuration.VERSION_2_3_33))
              .process(Map.of("name", "x"), w);
          return w;
        });
    probes.put("calcite", CodeProbes::calcite);
    probes.put("compiler", CodeProbes::compiler);
    probes.put("url-loader", CodeProbes::urlLoader);
    probes.put("jaxb", CodeProbes::jaxb);
    probes.put("saxon", CodeProbes::saxon);
    probes.put(
        "xslt-jdk", () -> transform(javax.xml.transform.TransformerFactory.newDefaultInstance()));
    probes.put("xslt-found", () -> transform(javax.xml.transform.TransformerFactory.newInstance()));
    probes.put(
        "dom4j",
        () ->
            org.dom4j.DocumentHelper.parseText("<a><b c='1'/></a>")
                .selectSingleNode("/a/b/@c")
                .getText());
    probes.put(
        "woodstox",
        () ->
            javax.xml.stream.XMLInputFactory.newInstance().getClass().getName()
                + DataProbes.jar(javax.xml.stream.XMLInputFactory.newInstance().getClass()));
    probes.put(
        "rxjava",
        () ->
            io.reactivex.rxjava3.core.Flowable.range(1, 5)
                .subscribeOn(io.reactivex.rxjava3.schedulers.Schedulers.computation())
                .map(x -> x * x)
                .toList()
                .blockingGet());
    probes.put(
        "reactor",
        () ->
            reactor.core.publisher.Flux.range(1, 5)
                .publishOn(reactor.core.scheduler.Schedulers.boundedElastic())
                .map(x -> x * x)
                .collectList()
                .block());
    probes.put(
        "parallel-stream",
        () -> java.util.stream.IntStream.range(0, 10_000).parallel().map(x -> x % 7).sum());
    probes.put("disruptor", CodeProbes::disruptor);
    probes.put("pekko", CodeProbes::pekko);
    probes.put("quartz", CodeProbes::quartz);
    probes.put("jmx-metrics", CodeProbes::metrics);
    probes.put(
        "timer",
        () -> {
          var done = new java.util.concurrent.CompletableFuture<String>();
          new java.util.Timer("probe", true)
              .schedule(
                  new java.util.TimerTask() {
                    @Override
                    public void run() {
                      done.complete("rang");
                    }
                  },
                  5);
          return done.get();
        });
    probes.put("jna", () -> com.sun.jna.platform.linux.LibC.INSTANCE.getenv("HOME") != null);
  }

  private static Object javassist() throws Exception {
    var pool = new javassist.ClassPool(true);
    pool.appendClassPath(new javassist.LoaderClassPath(CodeProbes.class.getClassLoader()));
    var made = pool.makeClass("org.mammoth.frameworks.libraries.Assisted");
    made.setSuperclass(pool.get(Greeter.class.getName()));
    made.addMethod(
        javassist.CtNewMethod.make("public String greet() { return super.greet() + 1; }", made));
    return ((Greeter) made.toClass(Greeter.class).getDeclaredConstructor().newInstance()).greet();
  }

  private static Object janinoClass() throws Exception {
    var compiler = new org.codehaus.janino.SimpleCompiler();
    compiler.setParentClassLoader(CodeProbes.class.getClassLoader());
    compiler.cook(
        "public class Cooked extends "
            + Greeter.class.getCanonicalName()
            + " { public String greet() { return super.greet() + System.getProperty(\"user.dir\").isEmpty(); } }");
    return ((Greeter)
            compiler.getClassLoader().loadClass("Cooked").getDeclaredConstructor().newInstance())
        .greet();
  }

  private static Object cglib() {
    var enhancer = new net.sf.cglib.proxy.Enhancer();
    enhancer.setSuperclass(Greeter.class);
    enhancer.setCallback(
        (net.sf.cglib.proxy.MethodInterceptor) (o, m, a, p) -> p.invokeSuper(o, a) + "!");
    return ((Greeter) enhancer.create()).greet();
  }

  /** A configuration of beans. */
  @org.springframework.context.annotation.Configuration
  public static class Beans {
    /** A bean. */
    @org.springframework.context.annotation.Bean
    public Greeter greeter() {
      return new Greeter();
    }

    /** Another. */
    @org.springframework.context.annotation.Bean
    public String name() {
      return greeter() == greeter() ? "one" : "two";
    }
  }

  private static Object spring() {
    try (var context =
        new org.springframework.context.annotation.AnnotationConfigApplicationContext(
            Beans.class)) {
      context.registerShutdownHook();
      return context.getBean("name")
          + " "
          + context.getEnvironment().getProperty("user.dir").isEmpty();
    }
  }

  private static Object velocity() {
    var writer = new StringWriter();
    var context =
        new org.apache.velocity.VelocityContext(new HashMap<>(Map.of("n", List.of(1, 2))));
    org.apache.velocity.app.Velocity.evaluate(context, writer, "t", "#foreach($x in $n)<$x>#end");
    return writer;
  }

  private static Object calcite() throws Exception {
    try (var connection = java.sql.DriverManager.getConnection("jdbc:calcite:");
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select sum(x), max(y) from (values (1, 'a'), (2, 'b')) as t(x, y)")) {
      rows.next();
      return rows.getInt(1) + rows.getString(2);
    }
  }

  private static Object compiler() throws Exception {
    var folder = java.nio.file.Files.createTempDirectory("probe");
    var source =
        java.nio.file.Files.writeString(
            folder.resolve("Hello.java"),
            "public class Hello { public String toString() { return \"compiled\"; } }");
    var compiler = javax.tools.ToolProvider.getSystemJavaCompiler();
    if (compiler.run(null, null, null, "-d", folder.toString(), source.toString()) != 0) {
      return "not compiled";
    }
    try (var loader = new java.net.URLClassLoader(new java.net.URL[] {folder.toUri().toURL()})) {
      return loader.loadClass("Hello").getDeclaredConstructor().newInstance();
    }
  }

  private static Object urlLoader() throws Exception {
    java.net.URL jar = Greeter.class.getProtectionDomain().getCodeSource().getLocation();
    try (var loader = new java.net.URLClassLoader(new java.net.URL[] {jar}, null)) {
      Class<?> other = loader.loadClass(Greeter.class.getName());
      return (other == Greeter.class)
          + " "
          + other.getMethod("greet").invoke(other.getDeclaredConstructor().newInstance());
    }
  }

  /** What JAXB writes. */
  @jakarta.xml.bind.annotation.XmlRootElement
  public static class Root {
    public String value = "v";
  }

  private static Object jaxb() throws Exception {
    var writer = new StringWriter();
    jakarta.xml.bind.JAXBContext.newInstance(Root.class)
        .createMarshaller()
        .marshal(new Root(), writer);
    return writer;
  }

  private static Object transform(javax.xml.transform.TransformerFactory factory) throws Exception {
    String sheet =
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'><o><xsl:value-of select='count(//b)'/></o></xsl:template></xsl:stylesheet>";
    var writer = new StringWriter();
    factory
        .newTransformer(
            new javax.xml.transform.stream.StreamSource(new java.io.StringReader(sheet)))
        .transform(
            new javax.xml.transform.stream.StreamSource(
                new java.io.StringReader("<a><b/><b/></a>")),
            new javax.xml.transform.stream.StreamResult(writer));
    return factory.getClass().getName() + writer;
  }

  private static Object saxon() throws Exception {
    return new net.sf.saxon.s9api.Processor(false)
        .newXQueryCompiler()
        .compile("sum(1 to 10)")
        .load()
        .evaluate();
  }

  private static Object disruptor() throws Exception {
    var sum = new java.util.concurrent.atomic.AtomicLong();
    var disruptor =
        new com.lmax.disruptor.dsl.Disruptor<long[]>(
            () -> new long[1], 8, com.lmax.disruptor.util.DaemonThreadFactory.INSTANCE);
    disruptor.handleEventsWith((event, n, last) -> sum.addAndGet(event[0]));
    disruptor.start();
    for (long i = 0; i < 100; i++) {
      long value = i;
      disruptor.publishEvent((event, n) -> event[0] = value);
    }
    disruptor.shutdown();
    return sum;
  }

  /** Answers. */
  public static final class Actor extends org.apache.pekko.actor.AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Integer.class, n -> getSender().tell(n + 1, getSelf())).build();
    }
  }

  private static Object pekko() throws Exception {
    var system = org.apache.pekko.actor.ActorSystem.create("probe");
    try {
      var actor = system.actorOf(org.apache.pekko.actor.Props.create(Actor.class));
      return org.apache.pekko.pattern.Patterns.ask(actor, 41, java.time.Duration.ofSeconds(20))
          .toCompletableFuture()
          .get();
    } finally {
      system.terminate();
    }
  }

  /** Done once. */
  public static final class OneJob implements org.quartz.Job {
    static final java.util.concurrent.CountDownLatch DONE =
        new java.util.concurrent.CountDownLatch(1);

    @Override
    public void execute(org.quartz.JobExecutionContext context) {
      DONE.countDown();
    }
  }

  private static Object quartz() throws Exception {
    var scheduler = org.quartz.impl.StdSchedulerFactory.getDefaultScheduler();
    scheduler.start();
    scheduler.scheduleJob(
        org.quartz.JobBuilder.newJob(OneJob.class).build(),
        org.quartz.TriggerBuilder.newTrigger().startNow().build());
    boolean done = OneJob.DONE.await(20, java.util.concurrent.TimeUnit.SECONDS);
    scheduler.shutdown(true);
    return done;
  }

  private static Object metrics() throws Exception {
    var registry = new com.codahale.metrics.MetricRegistry();
    registry.counter("probe").inc(5);
    try (var reporter = com.codahale.metrics.jmx.JmxReporter.forRegistry(registry).build()) {
      reporter.start();
      return java.lang.management.ManagementFactory.getPlatformMBeanServer()
          .getAttribute(
              new javax.management.ObjectName("metrics:name=probe,type=counters"), "Count");
    }
  }
}
