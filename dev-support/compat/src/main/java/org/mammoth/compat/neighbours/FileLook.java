// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.File;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Scanner;
import java.util.logging.FileHandler;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.Shell;

/** Relative names: each of them must mean the task's working folder. */
final class FileLook {
  private static final String NAME = "witness-file.xml";

  private FileLook() {}

  static void look(Report report) {
    report.tell("file.cleared", () -> clear());
    report.tell(
        "file.write",
        () -> {
          try (FileOutputStream out = new FileOutputStream(NAME)) {
            out.write("<witness/>".getBytes(StandardCharsets.UTF_8));
          }
          return Files.readString(Path.of(NAME));
        });
    report.tell("file.absolute", () -> new File(NAME).getAbsoluteFile().exists());
    report.tell("file.user-dir", () -> new File(System.getProperty("user.dir"), NAME).exists());
    report.tell("file.reader", () -> new FileReader(NAME).read());
    report.tell("file.random", () -> new RandomAccessFile(NAME, "r").length());
    report.tell("file.scanner", () -> new Scanner(new File(NAME)).next());
    report.tell("file.stat", () -> Files.size(Path.of("").toAbsolutePath().resolve(NAME)));
    report.tell("file.listed", () -> Arrays.asList(new File(".").list()).contains(NAME));
    report.tell(
        "file.url",
        () ->
            new String(
                new URL("file:" + NAME).openStream().readAllBytes(), StandardCharsets.UTF_8));
    report.tell("file.to-url", () -> new File(NAME).toURI().toURL().openStream().read());
    report.tell(
        "file.xml",
        () ->
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(NAME)
                .getDocumentElement()
                .getTagName());
    report.tell(
        "file.xml-source",
        () -> new StreamSource(new File(NAME)).getSystemId().endsWith("/" + NAME));
    report.tell("file.zip", () -> new ZipFile(NAME).size());
    report.tell("file.child", () -> child("cat", NAME));
    report.tell(
        "file.child-exec",
        () ->
            new String(
                Runtime.getRuntime()
                    .exec(new String[] {"cat", NAME})
                    .getInputStream()
                    .readAllBytes(),
                StandardCharsets.UTF_8));
    report.tell("file.child-redirect", () -> redirected());
    report.tell("file.shell", () -> Shell.execCommand("cat", NAME));
    report.tell("file.pwd", () -> child("pwd").trim().equals(System.getProperty("user.dir")));
    report.tell(
        "file.hadoop",
        () -> FileSystem.getLocal(new Configuration()).exists(new org.apache.hadoop.fs.Path(NAME)));
    report.tell(
        "file.hadoop-folder",
        () ->
            FileSystem.getLocal(new Configuration())
                .getWorkingDirectory()
                .toUri()
                .getPath()
                .equals(System.getProperty("user.dir")));
    report.tell("file.jul", FileLook::handler);
    report.tell("file.log4j", FileLook::appender);
    report.tell(
        "file.temporary",
        () ->
            File.createTempFile("witness", "")
                .getParent()
                .equals(System.getProperty("java.io.tmpdir")));
    report.tell(
        "file.temporary-nio",
        () ->
            Files.createTempFile("witness", "")
                .getParent()
                .toString()
                .equals(System.getProperty("java.io.tmpdir")));
    report.tell(
        "file.work",
        () ->
            Arrays.stream(new File(".").list())
                .filter(name -> !name.startsWith("witness") && !name.startsWith("."))
                .toList());
  }

  private static String clear() throws IOException {
    return "was there: " + Files.deleteIfExists(Path.of(NAME));
  }

  private static String child(String... words) throws IOException {
    return new String(
        new ProcessBuilder(words).redirectErrorStream(true).start().getInputStream().readAllBytes(),
        StandardCharsets.UTF_8);
  }

  private static String redirected() throws IOException, InterruptedException {
    new ProcessBuilder("echo", "redirected")
        .redirectOutput(new File("witness-redirected"))
        .start()
        .waitFor();
    return Files.readString(Path.of("witness-redirected"));
  }

  private static boolean handler() throws IOException {
    FileHandler handler = new FileHandler("witness-jul.log");
    handler.close();
    return new File("witness-jul.log").exists();
  }

  private static boolean appender() throws IOException {
    org.apache.log4j.FileAppender appender =
        new org.apache.log4j.FileAppender(new org.apache.log4j.SimpleLayout(), "witness-log4j.log");
    appender.close();
    return new File("witness-log4j.log").exists();
  }
}
