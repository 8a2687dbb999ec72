// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.console.config.AlertKeys;

/** What an SMTP server gets. */
class MailTest {

  /** All lines that the server was sent. */
  private final List<String> got = new CopyOnWriteArrayList<>();

  private final Configuration conf = new Configuration(false);
  private ServerSocket server;
  private volatile String answerToRcpt = "250 fine";
  private volatile long greetAfterMs;
  private volatile long answerAfterMs;

  @BeforeEach
  void start() throws Exception {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "smtp");
    thread.setDaemon(true);
    thread.start();
    conf.set(AlertKeys.MAIL_HOST.name(), "127.0.0.1");
    conf.set(AlertKeys.MAIL_PORT.name(), String.valueOf(server.getLocalPort()));
    conf.set(AlertKeys.MAIL_FROM.name(), "console@example.org");
    conf.set(AlertKeys.MAIL_TO.name(), "ada@example.org, ben@example.org");
    conf.set(AlertKeys.MAIL_STARTTLS.name(), "false");
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        talk(client);
      } catch (IOException e) {
        got.add("ended");
      }
    }
  }

  private void talk(Socket client) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
    OutputStream out = client.getOutputStream();
    pause(greetAfterMs);
    say(out, "220 test");
    boolean data = false;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      got.add(line);
      if (!data) {
        pause(answerAfterMs);
      }
      if (data) {
        data = !line.equals(".");
        if (!data) {
          say(out, "250 taken");
        }
      } else if (line.startsWith("EHLO")) {
        say(out, "250-test\r\n250 AUTH PLAIN");
      } else if (line.startsWith("AUTH")) {
        say(out, "235 welcome");
      } else if (line.startsWith("RCPT")) {
        say(out, answerToRcpt);
      } else if (line.equals("DATA")) {
        data = true;
        say(out, "354 go on");
      } else if (line.equals("QUIT")) {
        say(out, "221 bye");
        return;
      } else {
        say(out, "250 fine");
      }
    }
  }

  private static void pause(long ms) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void say(OutputStream out, String line) throws IOException {
    out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private void send() throws Exception {
    try (Mail mail = Mail.of(conf)) {
      mail.send(Notification.test(Scene.START, "http://console/")).get(40, TimeUnit.SECONDS);
    }
  }

  @Test
  void aMessageSaysWhatFiresAndWhereItShows() throws Exception {
    send();
    assertThat(got)
        .contains(
            "MAIL FROM:<console@example.org>",
            "RCPT TO:<ada@example.org>",
            "RCPT TO:<ben@example.org>",
            "Subject: [RESOLVED] ConsoleTest",
            "resolved: A test of notifications",
            "http://console/#/alerts");
    assertThat(got).noneMatch(line -> line.startsWith("AUTH"));
  }

  /** It needs longer for all than it may for each answer. */
  @Test
  void aServerThatIsSlowInAllIsSentAMessageOnce() throws Exception {
    answerAfterMs = 1_500;
    try (Mail mail = new Mail(conf, 5_000)) {
      mail.send(Notification.test(Scene.START, "http://console/")).get(60, TimeUnit.SECONDS);
    }
    assertThat(got.stream().filter("DATA"::equals)).hasSize(1);
  }

  /** Each takes a fifth of the deadline: those that wait longest would be given up, and sent. */
  @Test
  void thoseThatWaitForASlowServerAreSentOnceAndHaveNotFailed() throws Exception {
    greetAfterMs = 3_000;
    try (Mail mail = new Mail(conf, 10_000, recipients -> 15_000)) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        all.add(mail.send(Notification.test(Scene.START, "http://console/")));
      }
      CompletableFuture<Void> givenUp =
          mail.send(Notification.test(Scene.START, "http://console/"));
      givenUp.cancel(false);
      all.add(mail.send(Notification.test(Scene.START, "http://console/")));
      for (CompletableFuture<Void> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertThat(got.stream().filter("DATA"::equals)).hasSize(6);
    }
  }

  @Test
  void aUserHasToProveWhoTheyAre() throws Exception {
    conf.set(AlertKeys.MAIL_USER.name(), "console");
    conf.set(AlertKeys.MAIL_PASSWORD.name(), "s3cret");
    send();
    assertThat(got).anyMatch(line -> line.startsWith("AUTH PLAIN"));
  }

  @Test
  void whatIsRefusedIsSaid() {
    answerToRcpt = "550 no such user";
    assertThatThrownBy(this::send).hasMessageContaining("550 no such user");
  }

  @Test
  void nothingIsSentInClearWhereTlsIsWanted() {
    conf.unset(AlertKeys.MAIL_STARTTLS.name());
    assertThatThrownBy(this::send).hasMessageContaining("STARTTLS");
    assertThat(got).noneMatch(line -> line.startsWith("MAIL"));
  }

  @Test
  void addressesThatAreNoneAreRefusedWithTheirKey() {
    conf.set(AlertKeys.MAIL_TO.name(), "ada at home");
    assertThatThrownBy(this::send).hasMessageContaining("mammoth.console.alert.mail.to");
    conf.unset(AlertKeys.MAIL_FROM.name());
    assertThatThrownBy(this::send)
        .hasMessageContaining("mammoth.console.alert.mail.from is not set");
  }
}
