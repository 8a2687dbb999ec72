// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.util.Date;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.config.ConfigKey;
import org.mammoth.console.config.AlertKeys;

/** Sends notifications as e-mail, one after the other on a thread of its own. */
final class Mail implements Channel {

  private static final long TIMEOUT_MS = 10_000;

  /**
   * What is said to a server before and after its recipients: at most eleven lines with TLS and a
   * login.
   */
  private static final int LINES = 12;

  private final String server;
  private final Session session;
  private final InternetAddress from;
  private final InternetAddress[] to;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread made = new Thread(task, "console-mail");
            made.setDaemon(true);
            return made;
          });

  private final long deadlineMs;

  /**
   * A message may take as long as all answers of the server: it would be sent again if it were
   * given up while it is still on its way.
   *
   * @param timeoutMs of each answer
   */
  Mail(Configuration conf, long timeoutMs) throws IOException {
    this(conf, timeoutMs, recipients -> timeoutMs * (LINES + recipients));
  }

  /**
   * The same with another deadline.
   *
   * @param deadline of a message to so many, in ms from its turn
   */
  Mail(Configuration conf, long timeoutMs, IntToLongFunction deadline) throws IOException {
    server = AlertKeys.MAIL_HOST.get(conf) + ":" + AlertKeys.MAIL_PORT.get(conf);
    from = addresses(conf, AlertKeys.MAIL_FROM)[0];
    to = addresses(conf, AlertKeys.MAIL_TO);
    deadlineMs = deadline.applyAsLong(to.length);
    String user = AlertKeys.MAIL_USER.get(conf);
    String password = Channels.secret(conf, AlertKeys.MAIL_PASSWORD);
    String tls = String.valueOf(AlertKeys.MAIL_STARTTLS.get(conf));
    Properties how = new Properties();
    how.setProperty("mail.transport.protocol", "smtp");
    how.setProperty("mail.smtp.host", AlertKeys.MAIL_HOST.get(conf));
    how.setProperty("mail.smtp.port", String.valueOf(AlertKeys.MAIL_PORT.get(conf)));
    how.setProperty("mail.smtp.starttls.enable", tls);
    how.setProperty("mail.smtp.starttls.required", tls);
    how.setProperty("mail.smtp.ssl.checkserveridentity", "true");
    how.setProperty("mail.smtp.auth", String.valueOf(!user.isEmpty()));
    for (String wait : new String[] {"connectiontimeout", "timeout", "writetimeout"}) {
      how.setProperty("mail.smtp." + wait, String.valueOf(timeoutMs));
    }
    session =
        Session.getInstance(
            how,
            new Authenticator() {
              @Override
              protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(user, password);
              }
            });
  }

  /** Null if none is configured. */
  static Mail of(Configuration conf) throws IOException {
    return AlertKeys.MAIL_HOST.get(conf).isEmpty() ? null : new Mail(conf, TIMEOUT_MS);
  }

  private static InternetAddress[] addresses(Configuration conf, ConfigKey<String> key) {
    try {
      InternetAddress[] list = InternetAddress.parse(key.get(conf), true);
      if (list.length > 0) {
        return list;
      }
    } catch (AddressException e) {
      throw key.refusal(conf, "It is no address: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException(
        key.name() + " is not set, but " + AlertKeys.MAIL_HOST.name() + " is");
  }

  @Override
  public String name() {
    return "e-mail";
  }

  @Override
  public String target() {
    return InternetAddress.toString(to) + " by " + server;
  }

  @Override
  public void start() {
    // A connection is made for each message: they are few.
  }

  @Override
  public CompletableFuture<Void> send(Notification notification) {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    thread.execute(
        () -> {
          // What has been given up while it waited for its turn is not sent.
          if (!sent.isDone()) {
            // A slow server makes others wait; that is no failure of theirs.
            sent.orTimeout(deadlineMs, TimeUnit.MILLISECONDS);
            deliver(notification, sent);
          }
        });
    return sent;
  }

  private void deliver(Notification notification, CompletableFuture<Void> sent) {
    try {
      Transport.send(message(notification));
      sent.complete(null);
    } catch (MessagingException e) {
      Throwable cause = e.getCause();
      String why = cause == null ? "" : " (" + cause.getMessage() + ")";
      sent.completeExceptionally(new IOException(server + ": " + e.getMessage() + why, e));
    } catch (RuntimeException e) {
      sent.completeExceptionally(e);
    }
  }

  private MimeMessage message(Notification notification) throws MessagingException {
    long firing =
        notification.alerts().stream().filter(item -> item.status().equals("firing")).count();
    String rule = notification.groupLabels().get("alertname");
    StringBuilder text = new StringBuilder();
    for (Notification.Item item : notification.alerts()) {
      text.append(item.status()).append(": ").append(item.annotations().get("summary"));
      text.append("\n  ").append(item.annotations().get("description"));
      text.append("\n  since ").append(item.startsAt());
      text.append("\n  ").append(item.generatorURL()).append("\n\n");
    }
    if (notification.truncatedAlerts() > 0) {
      text.append("and ").append(notification.truncatedAlerts()).append(" more\n\n");
    }
    text.append(notification.externalURL()).append("#/alerts\n");
    MimeMessage message = new MimeMessage(session);
    message.setFrom(from);
    message.setRecipients(Message.RecipientType.TO, to);
    message.setSubject((firing > 0 ? "[FIRING:" + firing + "] " : "[RESOLVED] ") + rule, "UTF-8");
    message.setText(text.toString(), "UTF-8");
    message.setSentDate(new Date());
    return message;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
