// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import org.mammoth.api.collections.LatestMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of browsers that were opened with a token, where names are only claimed (simple
 * authentication). A token opens one session; the next token is then made and written to a file
 * that only the console's own user reads. So who can open a session can read that file, or sits at
 * the terminal the console was started from: no log and no file that others read has a token.
 * Sessions end with the console. Any thread.
 */
final class Sessions {

  private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);
  private static final int MOST = 1000;
  private static final int BYTES = 32;

  private final SecureRandom random = new SecureRandom();
  private final Path file;
  private final String owner;
  private final Map<String, String> users = LatestMap.byUse(MOST);
  private String address = "";
  private String cookie = "mammoth-console";
  private String token;

  /**
   * @param file where the present URL is kept, replaced with each token
   * @param owner whose session it is if no name is claimed with the token
   */
  Sessions(Path file, String owner) {
    this.file = file;
    this.owner = owner;
    this.token = secret();
  }

  private String secret() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * The console listens.
   *
   * @param port keeps cookies of several consoles of a host apart, as browsers do not
   */
  synchronized void begin(String at, int port) {
    address = at;
    cookie = "mammoth-console-" + port;
    keep();
  }

  private void keep() {
    try {
      write();
    } catch (IOException e) {
      LOG.error("{} is not written; once it can be, a restart of the console writes one", file, e);
    }
  }

  /** The address that opens a session, once. */
  synchronized String url() {
    return address + "?token=" + token;
  }

  /** Where the present address is found. */
  Path file() {
    return file;
  }

  synchronized String cookie() {
    return cookie;
  }

  /**
   * Opens a session.
   *
   * @param claimed the name given with the token, or null
   * @return the cookie's value; null if the token is not the present one
   */
  synchronized String open(String given, String claimed) {
    if (!MessageDigest.isEqual(utf8(token), utf8(given))) {
      return null;
    }
    String id = secret();
    users.put(id, claimed == null ? owner : claimed);
    token = secret();
    keep();
    return id;
  }

  /** Whose session a request belongs to; null for none. */
  String user(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies == null) {
      return null;
    }
    synchronized (this) {
      for (Cookie sent : cookies) {
        String user = sent.getName().equals(cookie) ? users.get(sent.getValue()) : null;
        if (user != null) {
          return user;
        }
      }
    }
    return null;
  }

  private void write() throws IOException {
    Path made =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            "login",
            ".tmp",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.writeString(made, url() + "\n");
      Files.move(made, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      // It is there only if that failed.
      Files.deleteIfExists(made);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
