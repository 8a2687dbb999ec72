// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.names.KeyNames;

/** Every configuration key of the shuffle between nodes: its sockets, its memory, its patience. */
public final class ShuffleKeys {

  /** Stock Hadoop's key: with it, map output crosses the network only under TLS. */
  public static final String SSL_ENABLED = "mapreduce.shuffle.ssl.enabled";

  public static final ConfigKey<Long> PORT =
      ConfigKey.ofLong(
          KeyNames.SHUFFLE_PORT,
          13_563,
          0,
          65_535,
          "",
          Scope.NODE,
          "Port on which a NodeManager tells Mammoth's own reduces where the engines of its node"
              + " serve map output; the same on all nodes, because that is how they find each"
              + " other. 0 stands for two above the node's own mapreduce.shuffle.port.");

  public static final ConfigKey<Boolean> PUSH =
      ConfigKey.ofBoolean(
          "mammoth.shuffle.push.enabled",
          true,
          Scope.JOB,
          "Whether engines push the output of finished maps to reduces on other nodes while the"
              + " reduces have memory for it; false leaves all of it to be fetched.");

  public static final ConfigKey<MergeMode> MERGE =
      ConfigKey.ofChoice(
          "mammoth.shuffle.merge",
          MergeMode.AUTO,
          MergeMode.class,
          Scope.JOB,
          "How reduces get hold of map output of other nodes. push: into memory, pushed or fetched,"
              + " and to the reduce's disk what finds none. spill: the same, but nothing is pushed."
              + " levitated: it stays at its source, and blocks of it are fetched while the reduce"
              + " merges; nothing is written to the reduce's disk. Where blocks of all segments do not"
              + " fit mammoth.shuffle.levitated.buffer-bytes it is virtual, or spill if output is"
              + " compressed or encrypted. virtual: the same for very many maps,"
              + " whose segments hold memory in turns; of output that is compressed or encrypted it"
              + " is levitated. node: as levitated, but each node merges the outputs of its own maps"
              + " and sends one sorted stream, for keys whose order engines know and output that is"
              + " neither compressed nor encrypted. auto: into memory while there is"
              + " some, and what finds none levitated, or virtual where blocks of all segments do not"
              + " fit mammoth.shuffle.levitated.buffer-bytes; all of it levitated, or virtual, as soon"
              + " as it is foreseen not to fit a reduce's part of the cache pool. Reduces of few maps"
              + " whose order of equal keys is known on stock Hadoop are levitated instead of virtual or"
              + " node, unless mammoth.sort.stock-order is false.");

  public static final ConfigKey<Long> LEVITATED_BLOCK_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.levitated.block-bytes",
          256 << 10,
          4 << 10,
          16 << 20,
          "bytes",
          Scope.JOB,
          "Largest block fetched at once of a segment that stays at its source; not more than a"
              + " cache unit (mammoth.memory.unit-kb). A reduce of many maps takes smaller ones.");

  public static final ConfigKey<Long> LEVITATED_BUFFER_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.levitated.buffer-bytes",
          64 << 20,
          64 << 10,
          1L << 40,
          "bytes",
          Scope.JOB,
          "What the two blocks of each segment may take of a reduce's memory together. Where not"
              + " even blocks of 4 KiB fit for all maps of a job, auto and levitated are virtual, or"
              + " spill output that is compressed or encrypted.");

  public static final ConfigKey<Long> VIRTUAL_BUFFER_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.virtual.buffer-bytes",
          64 << 20,
          64 << 10,
          1L << 40,
          "bytes",
          Scope.JOB,
          "What a virtual merge takes of a reduce's memory, however many segments it has; below"
              + " some 200 bytes for each of them, or where the cache pool has no more for it, it is"
              + " levitated instead.");

  public static final ConfigKey<Long> VIRTUAL_SUBTREE_SEGMENTS =
      ConfigKey.ofLong(
          "mammoth.shuffle.virtual.subtree-segments",
          0,
          0,
          1 << 20,
          "",
          Scope.JOB,
          "Segments of a subtree of a virtual merge; 0 takes the square root of all.");

  public static final ConfigKey<Long> VIRTUAL_ENTRY_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.virtual.entry-buffer-bytes",
          0,
          0,
          16 << 20,
          "bytes",
          Scope.JOB,
          "What a virtual merge fetches of a segment at once; 0 derives it from memory and"
              + " segments.");

  public static final ConfigKey<Long> VIRTUAL_SUBTREE_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.virtual.subtree-buffer-bytes",
          0,
          0,
          1 << 30,
          "bytes",
          Scope.JOB,
          "What the buffer of each subtree of a virtual merge holds; 0 derives it from memory and"
              + " segments, at most 4 MiB.");

  public static final ConfigKey<Double> VIRTUAL_ACTIVATE =
      ConfigKey.ofFraction(
          "mammoth.shuffle.virtual.activate-below",
          0.15,
          Scope.JOB,
          "Part of its buffer below which a subtree of a virtual merge fetches and merges again.");

  public static final ConfigKey<Double> VIRTUAL_STOP =
      ConfigKey.ofFraction(
          "mammoth.shuffle.virtual.stop-above",
          0.70,
          Scope.JOB,
          "Part of its buffer above which a subtree of a virtual merge fetches no more.");

  public static final ConfigKey<Long> NODE_BUFFER_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.node.buffer-bytes",
          32 << 20,
          0,
          1L << 40,
          "bytes",
          Scope.NODE,
          "Most memory in which an engine merges the outputs of its maps for reduces of other nodes"
              + " (mammoth.shuffle.merge=node), for all of them together; who finds none of it"
              + " fetches the outputs one by one. It is of the 64 MiB that an engine has beside its"
              + " buffers. 0 merges nothing.");

  public static final ConfigKey<String> BIND_HOST =
      ConfigKey.ofString(
          "mammoth.shuffle.bind-host",
          "0.0.0.0",
          Scope.NODE,
          "Address the shuffle server listens on.");

  public static final ConfigKey<Long> CHUNK_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.chunk-bytes",
          256 << 10,
          1 << 10,
          4 << 20,
          "bytes",
          Scope.NODE,
          "Largest piece of map output sent in one frame with one checksum.");

  public static final ConfigKey<Long> WINDOW_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.fetch.window-bytes",
          1 << 20,
          1 << 10,
          1L << 30,
          "bytes",
          Scope.NODE,
          "How much of a fetched segment may be under way before its reader has taken it.");

  public static final ConfigKey<Long> CONNECTION_BUFFER_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.connection.buffer-bytes",
          4 << 20,
          1 << 10,
          1L << 30,
          "bytes",
          Scope.NODE,
          "Most map output the server holds in memory for one connection until the socket takes"
              + " it.");

  public static final ConfigKey<Long> SERVER_BUFFER_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.server.buffer-bytes",
          64 << 20,
          1 << 10,
          1L << 36,
          "bytes",
          Scope.NODE,
          "Most map output the server holds in memory for all connections together; not less than"
              + " mammoth.shuffle.chunk-bytes.");

  public static final ConfigKey<Long> READ_AHEAD_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.server.read-ahead-bytes",
          16 << 20,
          0,
          1L << 36,
          "bytes",
          Scope.NODE,
          "Most map output that an engine reads from spinning disks before other nodes ask for it;"
              + " divided among those who read.");

  public static final ConfigKey<Long> OPEN_FILES =
      ConfigKey.ofLong(
          "mammoth.shuffle.server.open-files",
          512,
          1,
          65_536,
          "",
          Scope.NODE,
          "Files of map output that an engine keeps open on each disk while other nodes read them"
              + " range by range.");

  public static final ConfigKey<Long> OPEN_FILES_IDLE_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.server.open-files.idle-ms",
          30_000,
          0,
          3_600_000,
          "ms",
          Scope.NODE,
          "How long a file of map output stays open that no other node reads.");

  public static final ConfigKey<Long> TABLE_BYTES =
      ConfigKey.ofLong(
          "mammoth.shuffle.server.table-bytes",
          16 << 20,
          0,
          1L << 36,
          "bytes",
          Scope.NODE,
          "Most memory for indexes and checksums of an engine's map outputs; those not used for"
              + " longest are kept in a file without a name in the engine's temporary folder"
              + " (java.io.tmpdir).");

  public static final ConfigKey<Long> MAX_CONNECTIONS =
      ConfigKey.ofLong(
          "mammoth.shuffle.max-connections",
          512,
          1,
          65_536,
          "",
          Scope.NODE,
          "Connections the shuffle server keeps, and a client opens at most. For one more, the one"
              + " that has been idle longest is closed, and comes back when it is needed; if all"
              + " are in use, the client is told that the server is busy.");

  public static final ConfigKey<Long> MAX_STREAMS =
      ConfigKey.ofLong(
          "mammoth.shuffle.connection.max-streams",
          4_096,
          1,
          1 << 20,
          "",
          Scope.NODE,
          "Fetches and subscriptions the server serves at once on one connection; more are told"
              + " that it is busy.");

  public static final ConfigKey<Long> CONNECTIONS_PER_NODE =
      ConfigKey.ofLong(
          "mammoth.shuffle.connections-per-node",
          1,
          1,
          64,
          "",
          Scope.NODE,
          "Connections an engine opens to one other node at most.");

  public static final ConfigKey<Long> PROBE_TIMEOUT_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.probe.timeout-ms",
          2_000,
          10,
          60_000,
          "ms",
          Scope.NODE,
          "How long a node may take to answer a new connection before it counts as busy. One that"
              + " has never answered is given twice the time with each try, and counts as one"
              + " without Mammoth after the fifth.");

  public static final ConfigKey<Long> PROBE_NEGATIVE_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.probe.negative-ms",
          300_000,
          0,
          86_400_000,
          "ms",
          Scope.NODE,
          "How long a node that answered as one without Mammoth is not asked again.");

  public static final ConfigKey<Long> BUSY_PATIENCE_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.busy.patience-ms",
          30_000,
          0,
          3_600_000,
          "ms",
          Scope.NODE,
          "How long a node that is busy or does not answer is asked again for an output before that"
              + " is fetched in the stock way.");

  public static final ConfigKey<Long> RECONNECT_MIN_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.reconnect.min-ms",
          200,
          1,
          60_000,
          "ms",
          Scope.NODE,
          "Pause before a lost connection is tried again; it doubles with each failure.");

  public static final ConfigKey<Long> RECONNECT_MAX_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.reconnect.max-ms",
          10_000,
          1,
          600_000,
          "ms",
          Scope.NODE,
          "Longest pause before a lost connection is tried again.");

  public static final ConfigKey<Long> HANDSHAKE_TIMEOUT_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.handshake.timeout-ms",
          10_000,
          10,
          600_000,
          "ms",
          Scope.NODE,
          "How long a connection may be open at the server before a job is authenticated on it.");

  public static final ConfigKey<Long> IDLE_TIMEOUT_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.idle.timeout-ms",
          60_000,
          100,
          3_600_000,
          "ms",
          Scope.NODE,
          "A connection over which nothing came for this long is closed; living peers send a ping"
              + " three times as often.");

  public static final ConfigKey<Long> FETCH_TIMEOUT_MS =
      ConfigKey.ofLong(
          "mammoth.shuffle.fetch.timeout-ms",
          60_000,
          10,
          3_600_000,
          "ms",
          Scope.NODE,
          "A fetch that got nothing for this long, though it could have taken it, fails.");

  private ShuffleKeys() {}
}
