// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.libraries;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.xml.XmlMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.afterburner.AfterburnerModule;
import com.fasterxml.jackson.module.blackbird.BlackbirdModule;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/** Values, serialisations and compression. */
final class DataProbes {
  private DataProbes() {}

  /** What is serialised. */
  public static final class Person {
    @JsonProperty public String name = "Ada";
    @JsonProperty public int age = 36;
    @JsonProperty public List<String> tags = new ArrayList<>(List.of("a", "b"));

    @Override
    public String toString() {
      return name + age + tags;
    }
  }

  /** A record. */
  public record Point(int x, double y) {}

  static void add(Map<String, Probe> probes) {
    probes.put("guava", DataProbes::guava);
    probes.put("guava-version", () -> jar(ImmutableList.class));
    probes.put("jackson-version", () -> jar(ObjectMapper.class) + new ObjectMapper().version());
    probes.put(
        "slf4j-version",
        () ->
            jar(org.slf4j.LoggerFactory.class)
                + org.slf4j.LoggerFactory.getILoggerFactory().getClass());
    probes.put(
        "commons-version",
        () ->
            jar(org.apache.commons.lang3.StringUtils.class)
                + jar(org.apache.commons.compress.archivers.ArchiveEntry.class)
                + jar(org.apache.commons.codec.binary.Hex.class)
                + jar(org.apache.commons.text.WordUtils.class));
    probes.put(
        "netty-version",
        () -> jar(io.netty.channel.Channel.class) + jar(io.netty.buffer.ByteBuf.class));
    probes.put("protobuf-version", () -> jar(com.google.protobuf.Message.class));
    probes.put("jackson", () -> mapper(new ObjectMapper()));
    probes.put(
        "jackson-record",
        () ->
            new ObjectMapper()
                .readValue(new ObjectMapper().writeValueAsString(new Point(1, 2.5)), Point.class));
    probes.put(
        "jackson-modules",
        () ->
            new ObjectMapper()
                .findAndRegisterModules().getRegisteredModuleIds().stream()
                    .map(String::valueOf)
                    .sorted()
                    .toList());
    probes.put(
        "jackson-time",
        () ->
            new ObjectMapper()
                .registerModule(new JavaTimeModule())
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .writeValueAsString(LocalDate.of(2024, 2, 29)));
    probes.put(
        "jackson-blackbird",
        () -> mapper(new ObjectMapper().registerModule(new BlackbirdModule())));
    probes.put(
        "jackson-afterburner",
        () -> mapper(new ObjectMapper().registerModule(new AfterburnerModule())));
    probes.put("jackson-yaml", () -> mapper(new ObjectMapper(new YAMLFactory())));
    probes.put(
        "jackson-cbor",
        () ->
            new ObjectMapper(new CBORFactory())
                .readValue(
                    new ObjectMapper(new CBORFactory()).writeValueAsBytes(new Person()),
                    Person.class));
    probes.put("jackson-xml", () -> mapper(new XmlMapper()));
    probes.put("protobuf", DataProbes::protobuf);
    probes.put(
        "gson",
        () ->
            new com.google.gson.Gson()
                .toJson(
                    new com.google.gson.Gson()
                        .fromJson("{\"name\":\"B\",\"age\":3}", Person.class)));
    probes.put(
        "fastjson",
        () ->
            com.alibaba.fastjson2.JSON.toJSONString(
                com.alibaba.fastjson2.JSON.parseObject(
                    "{\"name\":\"C\",\"age\":5,\"tags\":[\"z\"]}", Person.class)));
    probes.put("xstream", DataProbes::xstream);
    probes.put("kryo", DataProbes::kryo);
    probes.put(
        "snakeyaml",
        () ->
            new org.yaml.snakeyaml.Yaml()
                .dump(new org.yaml.snakeyaml.Yaml().<Object>load("a: [1, 2]\nb: {c: 3}")));
    probes.put(
        "jsonpath",
        () -> com.jayway.jsonpath.JsonPath.read("{\"a\":[{\"b\":1},{\"b\":2}]}", "$.a[*].b"));
    probes.put("java-serialization", DataProbes::serialization);
    probes.put("zstd", () -> compressed("zstd"));
    probes.put("xz", () -> compressed("xz"));
    probes.put("lz4-block", () -> compressed("lz4-block"));
    probes.put("snappy-framed", () -> compressed("snappy-framed"));
    probes.put("bzip2", () -> compressed("bzip2"));
    probes.put(
        "lz4-native",
        () ->
            net.jpountz.lz4.LZ4Factory.fastestInstance().fastCompressor().compress(text()).length
                + net.jpountz.lz4.LZ4Factory.fastestInstance().toString());
    probes.put(
        "snappy-java",
        () ->
            new String(
                    org.xerial.snappy.Snappy.uncompress(org.xerial.snappy.Snappy.compress(text())),
                    StandardCharsets.UTF_8)
                .length());
    probes.put("zip-archive", DataProbes::zip);
    probes.put(
        "fastutil",
        () ->
            new it.unimi.dsi.fastutil.ints.IntOpenHashSet(new int[] {3, 1, 2})
                .intStream()
                .sorted()
                .boxed()
                .toList());
    probes.put("roaring", () -> org.roaringbitmap.RoaringBitmap.bitmapOf(1, 5, 1000).toString());
    probes.put(
        "agrona",
        () -> {
          var buffer = new org.agrona.concurrent.UnsafeBuffer(new byte[16]);
          buffer.putLong(8, 77);
          return buffer.getLong(8) + " " + new org.agrona.collections.Int2IntHashMap(-1).put(3, 4);
        });
    probes.put(
        "math3",
        () ->
            new org.apache.commons.math3.stat.regression.SimpleRegression() {
              {
                addData(1, 2);
                addData(2, 4.1);
                addData(3, 6);
              }
            }.getSlope());
    probes.put(
        "ejml",
        () -> new org.ejml.simple.SimpleMatrix(new double[][] {{2, 1}, {1, 3}}).invert().get(0, 0));
    probes.put(
        "csv",
        () ->
            org.apache.commons.csv.CSVFormat.DEFAULT
                .parse(new java.io.StringReader("a,\"b,c\"\n1,2\n"))
                .getRecords()
                .stream()
                .map(r -> r.toList().toString())
                .toList());
    probes.put(
        "opencsv",
        () ->
            Arrays.toString(
                new com.opencsv.CSVReader(new java.io.StringReader("x,'y z'\n")).readNext()));
  }

  static String jar(Class<?> type) {
    var source = type.getProtectionDomain().getCodeSource();
    String name = source == null ? "?" : source.getLocation().getPath();
    return name.substring(name.lastIndexOf('/') + 1) + " ";
  }

  private static byte[] text() {
    return "the quick brown fox ".repeat(500).getBytes(StandardCharsets.UTF_8);
  }

  private static Object mapper(ObjectMapper mapper) throws Exception {
    JsonNode tree = mapper.readTree(mapper.writeValueAsString(new Person()));
    return mapper.readValue(mapper.writeValueAsString(new Person()), Person.class)
        + " "
        + tree.get("name").asText()
        + mapper.writeValueAsString(Map.of("k", 1));
  }

  private static Object guava() throws Exception {
    var cache = CacheBuilder.newBuilder().maximumSize(2).recordStats().build();
    cache.put("a", 1);
    var pool = MoreExecutors.listeningDecorator(Executors.newFixedThreadPool(2));
    var sum = Futures.allAsList(pool.submit(() -> 1), pool.submit(() -> 2));
    String told =
        sum.get()
            + " "
            + cache.getIfPresent("a")
            + " "
            + Hashing.murmur3_128().hashInt(7)
            + ImmutableList.of(1, 2).reverse();
    pool.shutdown();
    return told;
  }

  private static Object protobuf() throws Exception {
    Struct struct =
        Struct.newBuilder().putFields("a", Value.newBuilder().setNumberValue(4).build()).build();
    return JsonFormat.printer().print(Struct.parseFrom(struct.toByteArray()));
  }

  private static Object xstream() {
    var xstream = new com.thoughtworks.xstream.XStream();
    xstream.allowTypesByWildcard(new String[] {"org.mammoth.**"});
    return xstream.fromXML(xstream.toXML(new Person()));
  }

  private static Object kryo() {
    var kryo = new com.esotericsoftware.kryo.Kryo();
    kryo.setRegistrationRequired(false);
    var out = new com.esotericsoftware.kryo.io.Output(64, -1);
    kryo.writeClassAndObject(
        out, new TreeMap<>(Map.of("p", new Person(), "q", new ArrayList<>(List.of(1, 2)))));
    return kryo.readClassAndObject(new com.esotericsoftware.kryo.io.Input(out.toBytes()));
  }

  private static Object serialization() throws Exception {
    var bytes = new ByteArrayOutputStream();
    try (var out = new java.io.ObjectOutputStream(bytes)) {
      out.writeObject(new TreeMap<>(Map.of(1, new ArrayList<>(List.of("x")))));
    }
    return new java.io.ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))
        .readObject();
  }

  private static Object compressed(String name) throws Exception {
    var factory = new org.apache.commons.compress.compressors.CompressorStreamFactory(true);
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out = factory.createCompressorOutputStream(name, bytes)) {
      out.write(text());
    }
    try (InputStream in =
        factory.createCompressorInputStream(name, new ByteArrayInputStream(bytes.toByteArray()))) {
      return bytes.size() + " " + in.readAllBytes().length;
    }
  }

  private static Object zip() throws Exception {
    java.nio.file.Path file = java.nio.file.Path.of("probe.zip");
    try (var fs = java.nio.file.FileSystems.newFileSystem(file, Map.of("create", "true"))) {
      java.nio.file.Files.write(fs.getPath("a"), text());
    }
    try (var zip =
        org.apache.commons.compress.archivers.zip.ZipFile.builder().setPath(file).get()) {
      return zip.getEntry("a").getSize();
    } finally {
      java.nio.file.Files.delete(file);
    }
  }
}
