// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.libraries;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** Texts, documents, dates, logs. */
final class TextProbes {
  private TextProbes() {}

  static void add(Map<String, Probe> probes) {
    probes.put("poi", TextProbes::poi);
    probes.put("pdfbox", TextProbes::pdfbox);
    probes.put(
        "tika",
        () -> new org.apache.tika.Tika().detect("%PDF-1.4".getBytes(StandardCharsets.UTF_8)));
    probes.put(
        "opennlp",
        () ->
            String.join(
                "|", opennlp.tools.tokenize.SimpleTokenizer.INSTANCE.tokenize("It's 3 o'clock.")));
    probes.put("jsoup", () -> org.jsoup.Jsoup.parse("<p>a<b>c").select("b").text());
    probes.put(
        "icu",
        () ->
            com.ibm.icu.text.Transliterator.getInstance("Any-Latin; Latin-ASCII")
                    .transliterate("Привет мир")
                + com.ibm.icu.text.NumberFormat.getInstance(com.ibm.icu.util.ULocale.GERMANY)
                    .format(1234.5));
    probes.put(
        "joda",
        () ->
            new org.joda.time.DateTime(0, org.joda.time.DateTimeZone.forID("Europe/Paris"))
                .toString());
    probes.put(
        "joda-default",
        () ->
            org.joda.time.DateTimeZone.getDefault()
                .equals(org.joda.time.DateTimeZone.forTimeZone(java.util.TimeZone.getDefault())));
    probes.put(
        "joda-set-default",
        () -> {
          org.joda.time.DateTimeZone.setDefault(org.joda.time.DateTimeZone.forID("Asia/Tokyo"));
          return new org.joda.time.DateTime(0).toString();
        });
    probes.put(
        "phone",
        () ->
            com.google.i18n.phonenumbers.PhoneNumberUtil.getInstance()
                .parse("044 668 18 00", "CH"));
    probes.put(
        "jts",
        () -> new org.locationtech.jts.io.WKTReader().read("POINT (1 1)").buffer(1).getArea() > 3);
    probes.put(
        "commons-text",
        () ->
            new org.apache.commons.text.similarity.LevenshteinDistance()
                .apply("kitten", "sitting"));
    probes.put(
        "lang3",
        () ->
            org.apache.commons.lang3.StringUtils.capitalize("abc")
                + org.apache.commons.lang3.time.FastDateFormat.getInstance("yyyy", Locale.ROOT)
                    .format(0L)
                + org.apache.commons.lang3.JavaVersion.JAVA_17.atLeast(
                    org.apache.commons.lang3.JavaVersion.JAVA_11));
    probes.put("log4j2", TextProbes::log4j2);
    probes.put("logback", TextProbes::logback);
    probes.put(
        "slf4j-bound",
        () -> {
          org.slf4j.LoggerFactory.getLogger("probe").info("said");
          return org.slf4j.LoggerFactory.getILoggerFactory().getClass().getName();
        });
    probes.put("jul-handler", TextProbes::jul);
    probes.put(
        "script-engines",
        () ->
            new javax.script.ScriptEngineManager()
                .getEngineFactories().stream().map(f -> f.getEngineName()).sorted().toList());
    probes.put("image", TextProbes::image);
    probes.put(
        "fonts",
        () ->
            new java.awt.image.BufferedImage(8, 8, 1).createGraphics().getFontMetrics().getHeight()
                > 0);
    probes.put(
        "charset",
        () ->
            new String(
                    "äöü".getBytes(java.nio.charset.Charset.defaultCharset()),
                    StandardCharsets.UTF_8)
                + java.nio.charset.Charset.defaultCharset());
    probes.put("locale", () -> Locale.getDefault() + String.format("%,.2f", 1234.5));
    probes.put(
        "resource-bundle",
        () ->
            java.util.ResourceBundle.getBundle("org.hibernate.validator.ValidationMessages")
                .getKeys()
                .hasMoreElements());
    probes.put(
        "process",
        () ->
            new String(
                    new ProcessBuilder("sh", "-c", "echo $((6*7))")
                        .start()
                        .getInputStream()
                        .readAllBytes(),
                    StandardCharsets.UTF_8)
                .trim());
    probes.put(
        "service-loader",
        () ->
            java.util.ServiceLoader.load(java.sql.Driver.class).stream()
                .map(p -> p.type().getName())
                .sorted()
                .toList());
    probes.put(
        "drivers",
        () -> java.sql.DriverManager.drivers().map(d -> d.getClass().getName()).sorted().toList());
    probes.put(
        "stack-walker",
        () ->
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass()
                .getSimpleName());
    probes.put(
        "context-loader",
        () ->
            Thread.currentThread().getContextClassLoader().loadClass(TextProbes.class.getName())
                == TextProbes.class);
    probes.put(
        "resources",
        () ->
            java.util.Collections.list(
                    TextProbes.class
                        .getClassLoader()
                        .getResources("META-INF/services/java.sql.Driver"))
                .stream()
                .map(u -> u.toString().replaceAll(".*/([^/]*jar)!.*", "$1"))
                .sorted()
                .toList());
    probes.put(
        "package-version",
        () ->
            com.google.gson.Gson.class.getPackage().getImplementationVersion()
                + org.apache.poi.Version.getVersion());
    probes.put(
        "security-providers",
        () ->
            java.util.Arrays.stream(java.security.Security.getProviders())
                .map(java.security.Provider::getName)
                .toList());
    probes.put(
        "cleaner",
        () -> {
          var l = new java.util.concurrent.CountDownLatch(1);
          java.lang.ref.Cleaner.create().register(new Object(), l::countDown);
          System.gc();
          return l.await(20, java.util.concurrent.TimeUnit.SECONDS);
        });
    probes.put(
        "shutdown-hook",
        () -> {
          Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("ended")));
          return "added";
        });
  }

  private static Object poi() throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var book = new org.apache.poi.xssf.usermodel.XSSFWorkbook()) {
      var row = book.createSheet("s").createRow(0);
      row.createCell(0).setCellValue(6);
      row.createCell(1).setCellFormula("A1*7");
      book.getCreationHelper().createFormulaEvaluator().evaluateAll();
      book.write(bytes);
    }
    try (var book =
        new org.apache.poi.xssf.usermodel.XSSFWorkbook(
            new ByteArrayInputStream(bytes.toByteArray()))) {
      return book.getSheetAt(0).getRow(0).getCell(1).getNumericCellValue();
    }
  }

  private static Object pdfbox() throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var document = new org.apache.pdfbox.pdmodel.PDDocument()) {
      var page = new org.apache.pdfbox.pdmodel.PDPage();
      document.addPage(page);
      try (var content = new org.apache.pdfbox.pdmodel.PDPageContentStream(document, page)) {
        content.beginText();
        content.setFont(
            new org.apache.pdfbox.pdmodel.font.PDType1Font(
                org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName.HELVETICA),
            12);
        content.showText("hello page");
        content.endText();
      }
      document.save(bytes);
    }
    try (var document = org.apache.pdfbox.Loader.loadPDF(bytes.toByteArray())) {
      return new org.apache.pdfbox.text.PDFTextStripper().getText(document).trim();
    }
  }

  private static Object log4j2() {
    var logger = org.apache.logging.log4j.LogManager.getLogger("probe");
    org.apache.logging.log4j.core.config.Configurator.setLevel(
        "probe", org.apache.logging.log4j.Level.DEBUG);
    logger.debug("by log4j 2");
    return logger.getClass().getName() + logger.isDebugEnabled();
  }

  private static Object logback() {
    var context = new ch.qos.logback.classic.LoggerContext();
    var list =
        new ch.qos.logback.core.read.ListAppender<ch.qos.logback.classic.spi.ILoggingEvent>();
    list.setContext(context);
    list.start();
    var logger = context.getLogger("probe");
    logger.addAppender(list);
    logger.warn("by {}", "logback");
    return list.list.get(0).getFormattedMessage();
  }

  private static Object jul() {
    var logger = java.util.logging.Logger.getLogger("probe");
    var told = new StringBuilder();
    logger.addHandler(
        new java.util.logging.Handler() {
          @Override
          public void publish(java.util.logging.LogRecord record) {
            told.append(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    logger.warning("by the JDK");
    return told;
  }

  private static Object image() throws Exception {
    var bytes = new ByteArrayOutputStream();
    javax.imageio.ImageIO.write(new java.awt.image.BufferedImage(4, 3, 1), "png", bytes);
    return javax.imageio.ImageIO.read(new ByteArrayInputStream(bytes.toByteArray())).getWidth();
  }
}
