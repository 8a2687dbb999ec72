// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.libraries;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.FSDirectory;

/** Caches, indexes and files. */
final class StoreProbes {
  private StoreProbes() {}

  static void add(Map<String, Probe> probes) {
    probes.put("lucene", StoreProbes::lucene);
    probes.put("caffeine", StoreProbes::caffeine);
    probes.put("ehcache", StoreProbes::ehcache);
    probes.put("mapdb-file", () -> mapdb(org.mapdb.DBMaker.fileDB(fresh("mapdb.db"))));
    probes.put(
        "mapdb-mmap", () -> mapdb(org.mapdb.DBMaker.fileDB(fresh("mapmm.db")).fileMmapEnable()));
    probes.put("mapdb-memory", () -> mapdb(org.mapdb.DBMaker.memoryDB()));
    probes.put("mapdb-direct", () -> mapdb(org.mapdb.DBMaker.memoryDirectDB()));
    probes.put("jgit", StoreProbes::jgit);
    probes.put("dbcp", StoreProbes::dbcp);
    probes.put("weka", StoreProbes::weka);
    probes.put("infinispan", StoreProbes::infinispan);
    probes.put("hazelcast", StoreProbes::hazelcast);
    probes.put("watch-service", StoreProbes::watch);
    probes.put("memory-mapped", StoreProbes::mapped);
    probes.put("random-access", StoreProbes::randomAccess);
    probes.put("temp-file", () -> Files.createTempFile("p", "q").toFile().delete());
    probes.put("file-lock", StoreProbes::lock);
    probes.put(
        "delete-on-exit",
        () -> {
          Path file = Files.createTempFile("p", "q");
          file.toFile().deleteOnExit();
          return Files.exists(file);
        });
  }

  private static java.io.File fresh(String name) throws Exception {
    Path file = Path.of(name);
    Files.deleteIfExists(file);
    return file.toFile();
  }

  private static Object lucene() throws Exception {
    Path folder = Path.of("index-probe");
    try (FSDirectory directory = FSDirectory.open(folder);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      for (int i = 0; i < 500; i++) {
        Document document = new Document();
        document.add(new TextField("text", "word" + i % 10 + " and " + i, Field.Store.YES));
        writer.addDocument(document);
      }
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        return new IndexSearcher(reader)
                .count(new QueryParser("text", new StandardAnalyzer()).parse("word3"))
            + directory.getClass().getSimpleName();
      }
    }
  }

  private static Object caffeine() throws Exception {
    var cache =
        com.github.benmanes.caffeine.cache.Caffeine.newBuilder()
            .maximumSize(10)
            .recordStats()
            .buildAsync((Integer key) -> key * 2);
    int sum = 0;
    for (int i = 0; i < 100; i++) {
      sum += cache.get(i).get();
    }
    cache.synchronous().cleanUp();
    return sum + " " + cache.synchronous().estimatedSize();
  }

  private static Object ehcache() {
    try (var manager =
        org.ehcache.config.builders.CacheManagerBuilder.newCacheManagerBuilder().build(true)) {
      var cache =
          manager.createCache(
              "c",
              org.ehcache.config.builders.CacheConfigurationBuilder.newCacheConfigurationBuilder(
                  Long.class,
                  String.class,
                  org.ehcache.config.builders.ResourcePoolsBuilder.newResourcePoolsBuilder()
                      .heap(10, org.ehcache.config.units.EntryUnit.ENTRIES)
                      .offheap(1, org.ehcache.config.units.MemoryUnit.MB)));
      cache.put(1L, "one");
      return cache.get(1L);
    }
  }

  private static Object mapdb(org.mapdb.DBMaker.Maker maker) {
    try (var db = maker.make()) {
      var map =
          db.treeMap("m", org.mapdb.Serializer.STRING, org.mapdb.Serializer.LONG).createOrOpen();
      for (long i = 0; i < 1000; i++) {
        map.merge("k" + i % 7, i, Long::sum);
      }
      return map.toString();
    }
  }

  private static Object jgit() throws Exception {
    Path folder = Files.createTempDirectory("git");
    try (var git = org.eclipse.jgit.api.Git.init().setDirectory(folder.toFile()).call()) {
      Files.writeString(folder.resolve("a"), "x");
      git.add().addFilepattern("a").call();
      git.commit().setMessage("m").setSign(false).setAuthor("a", "b").setCommitter("a", "b").call();
      return git.log().call().iterator().next().getFullMessage() + git.status().call().isClean();
    }
  }

  private static Object dbcp() throws Exception {
    try (var pool = new org.apache.commons.dbcp2.BasicDataSource()) {
      pool.setUrl("jdbc:calcite:");
      pool.setJmxName("org.mammoth:type=pool");
      try (var connection = pool.getConnection();
          var rows = connection.createStatement().executeQuery("values 1")) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  private static Object weka() throws Exception {
    var attributes = new java.util.ArrayList<weka.core.Attribute>();
    attributes.add(new weka.core.Attribute("x"));
    attributes.add(new weka.core.Attribute("c", java.util.List.of("no", "yes")));
    var data = new weka.core.Instances("d", attributes, 0);
    data.setClassIndex(1);
    for (int i = 0; i < 50; i++) {
      data.add(new weka.core.DenseInstance(1, new double[] {i, i > 20 ? 1 : 0}));
    }
    var tree = new weka.classifiers.trees.J48();
    tree.buildClassifier(data);
    return tree.toString();
  }

  private static Object infinispan() {
    try (var manager = new org.infinispan.manager.DefaultCacheManager()) {
      manager.defineConfiguration(
          "c", new org.infinispan.configuration.cache.ConfigurationBuilder().build());
      manager.getCache("c").put("a", 1);
      return manager.getCache("c").get("a");
    } catch (java.io.IOException e) {
      return e;
    }
  }

  private static Object hazelcast() {
    var config = new com.hazelcast.config.Config();
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    var instance = com.hazelcast.core.Hazelcast.newHazelcastInstance(config);
    try {
      var map = instance.<String, Integer>getMap("m");
      map.put("a", 1);
      map.executeOnKey(
          "a",
          (com.hazelcast.map.EntryProcessor<String, Integer, Object>)
              e -> e.setValue(e.getValue() + 1));
      return map.get("a");
    } finally {
      instance.shutdown();
    }
  }

  private static Object watch() throws Exception {
    Path folder = Files.createTempDirectory("watch");
    try (var watch = folder.getFileSystem().newWatchService()) {
      folder.register(watch, java.nio.file.StandardWatchEventKinds.ENTRY_CREATE);
      Files.writeString(folder.resolve("new"), "x");
      return watch.poll(20, java.util.concurrent.TimeUnit.SECONDS).pollEvents().get(0).context();
    }
  }

  private static Object mapped() throws Exception {
    try (var channel =
        java.nio.channels.FileChannel.open(
            Path.of("mapped"),
            java.nio.file.StandardOpenOption.CREATE,
            java.nio.file.StandardOpenOption.READ,
            java.nio.file.StandardOpenOption.WRITE)) {
      var buffer = channel.map(java.nio.channels.FileChannel.MapMode.READ_WRITE, 0, 4096);
      buffer.putLong(8, 5);
      buffer.force();
      return buffer.getLong(8) + Files.size(Path.of("mapped"));
    }
  }

  private static Object randomAccess() throws Exception {
    try (var file = new java.io.RandomAccessFile("random", "rw")) {
      file.writeUTF("text");
      file.seek(0);
      return file.readUTF() + Files.exists(Path.of("").toAbsolutePath().resolve("random"));
    }
  }

  private static Object lock() throws Exception {
    try (var channel =
            java.nio.channels.FileChannel.open(
                Path.of("locked"),
                java.nio.file.StandardOpenOption.CREATE,
                java.nio.file.StandardOpenOption.WRITE);
        var lock = channel.tryLock()) {
      return lock.isValid();
    }
  }
}
