// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.libraries;

import com.sun.net.httpserver.HttpServer;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Clients and servers on loopback. */
final class NetProbes {
  private NetProbes() {}

  static void add(Map<String, Probe> probes) {
    probes.put("netty", () -> netty(new NioEventLoopGroup(1)));
    probes.put("netty-epoll", () -> io.netty.channel.epoll.Epoll.isAvailable());
    probes.put(
        "netty-pool",
        () -> {
          ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(64);
          try {
            return buffer.writeLong(3).readLong();
          } finally {
            buffer.release();
          }
        });
    probes.put(
        "http-url",
        () ->
            served(
                uri ->
                    new String(uri.toURL().openStream().readAllBytes(), StandardCharsets.UTF_8)));
    probes.put(
        "http-jdk",
        () ->
            served(
                uri ->
                    java.net.http.HttpClient.newHttpClient()
                        .send(
                            java.net.http.HttpRequest.newBuilder(uri).build(),
                            java.net.http.HttpResponse.BodyHandlers.ofString())
                        .body()));
    probes.put(
        "okhttp",
        () ->
            served(
                uri -> {
                  try (var answer =
                      new okhttp3.OkHttpClient()
                          .newCall(new okhttp3.Request.Builder().url(uri.toString()).build())
                          .execute()) {
                    return answer.body().string();
                  }
                }));
    probes.put(
        "httpclient5",
        () ->
            served(
                uri -> {
                  try (var client =
                      org.apache.hc.client5.http.impl.classic.HttpClients.createDefault()) {
                    return client.execute(
                        new org.apache.hc.client5.http.classic.methods.HttpGet(uri),
                        r ->
                            org.apache.hc.core5.http.io.entity.EntityUtils.toString(r.getEntity()));
                  }
                }));
    probes.put("vertx", NetProbes::vertx);
    probes.put(
        "bouncycastle",
        () -> {
          var digest = new org.bouncycastle.crypto.digests.SHA3Digest(256);
          digest.update((byte) 1);
          byte[] out = new byte[32];
          digest.doFinal(out, 0);
          return java.util.HexFormat.of().formatHex(out);
        });
    probes.put(
        "bouncycastle-object",
        () ->
            java.util.HexFormat.of()
                .formatHex(
                    java.security.MessageDigest.getInstance(
                            "RIPEMD160", new org.bouncycastle.jce.provider.BouncyCastleProvider())
                        .digest(new byte[3])));
    probes.put("ssl-context", () -> javax.net.ssl.SSLContext.getDefault().getProtocol());
    probes.put(
        "keypair",
        () ->
            java.security.KeyPairGenerator.getInstance("EC")
                .generateKeyPair()
                .getPublic()
                .getAlgorithm());
    probes.put(
        "cipher",
        () -> {
          var cipher = javax.crypto.Cipher.getInstance("AES/GCM/NoPadding");
          cipher.init(
              javax.crypto.Cipher.ENCRYPT_MODE,
              new javax.crypto.spec.SecretKeySpec(new byte[16], "AES"),
              new javax.crypto.spec.GCMParameterSpec(128, new byte[12]));
          return java.util.HexFormat.of().formatHex(cipher.doFinal(new byte[4]));
        });
  }

  /** A client's call. */
  private interface Call {
    Object get(URI uri) throws Exception;
  }

  private static Object served(Call call) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] answer = exchange.getRequestURI().getPath().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      return call.get(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/there"));
    } finally {
      server.stop(0);
    }
  }

  private static Object netty(EventLoopGroup group) throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(NioServerSocketChannel.class)
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel
                          .pipeline()
                          .addLast(
                              new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelRead(
                                    ChannelHandlerContext context, Object message) {
                                  context.writeAndFlush(message);
                                }
                              });
                    }
                  })
              .bind("127.0.0.1", 0)
              .sync()
              .channel();
      Channel client =
          new Bootstrap()
              .group(group)
              .channel(NioSocketChannel.class)
              .handler(
                  new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                      answer.complete(((ByteBuf) message).toString(StandardCharsets.UTF_8));
                    }
                  })
              .connect(server.localAddress())
              .sync()
              .channel();
      client.writeAndFlush(Unpooled.copiedBuffer("echo", StandardCharsets.UTF_8));
      return answer.get();
    } finally {
      group.shutdownGracefully();
    }
  }

  private static Object vertx() throws Exception {
    var vertx = io.vertx.core.Vertx.vertx();
    try {
      var answer = new CompletableFuture<Object>();
      vertx.eventBus().consumer("a", message -> message.reply("re " + message.body()));
      vertx
          .eventBus()
          .request("a", "x")
          .onSuccess(reply -> answer.complete(reply.body()))
          .onFailure(answer::completeExceptionally);
      return answer.get();
    } finally {
      vertx.close();
    }
  }
}
