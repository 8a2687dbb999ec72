package org.mammoth.census;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What tasks and ApplicationMasters begin with: the classes that run them, everything jobs are
 * written with, and what they find by name.
 */
final class Roots {

  private static final Pattern CODE_OF_JOBS =
      Pattern.compile(
          "org/apache/hadoop/(mapred|mapreduce)/.*|org/apache/hadoop/(io|fs)/[^/]*"
              + "|org/apache/hadoop/conf/.*|org/apache/hadoop/util/[^/]*");

  private static final List<String> SERVICES =
      List.of(
          "org.apache.hadoop.fs.FileSystem",
          "org.apache.hadoop.io.compress.CompressionCodec",
          "org.apache.hadoop.security.token.TokenIdentifier",
          "org.apache.hadoop.security.token.TokenRenewer",
          "org.apache.hadoop.security.SecurityInfo",
          "org.apache.hadoop.security.alias.CredentialProviderFactory",
          "org.apache.hadoop.crypto.key.KeyProviderFactory",
          "org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider",
          "org.apache.hadoop.security.token.DtFetcher");

  /** Jars of jobs' classes whose other classes are daemons' or tests'. */
  private static final Pattern NOT_THEIRS =
      Pattern.compile(
          "hadoop-(mapreduce-client-(hs|uploader|shuffle)|mapreduce-examples|hdfs-rbf|hdfs-httpfs"
              + "|kms|hdfs|nfs|hdfs-nfs).*|.*-tests\\.jar|mammoth-.*|hadoop-yarn.*");

  private Roots() {}

  static List<String> of(ClassFiles files) {
    List<String> roots = new ArrayList<>();
    for (String name : files.names()) {
      if (CODE_OF_JOBS.matcher(name).matches() && !NOT_THEIRS.matcher(files.jar(name)).matches()) {
        roots.add(name);
      }
    }
    for (String service : SERVICES) {
      files.providers(service).stream()
          .filter(name -> files.code(name) != null)
          .forEach(roots::add);
    }
    return roots;
  }
}
