// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.library;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.db.DBConfiguration;
import org.apache.hadoop.mapreduce.lib.db.DBOutputFormat;
import org.apache.hadoop.mapreduce.lib.db.DBWritable;
import org.apache.hadoop.mapreduce.lib.db.DataDrivenDBInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.h2.tools.Server;

/**
 * Reads a table of a database that serves several processes and writes into another; reduces keep
 * their sums in a database of their own, in memory.
 */
public final class DatabaseJob extends Configured implements Tool {
  private static final int ROWS = 3_000;

  private static final String DRIVER = "org.h2.Driver";

  /** Arguments: FOLDER and NAME of the database that this serves, MEMORY-URL and OUTPUT. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new DatabaseJob(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    Server server =
        Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", args[0]).start();
    try {
      String url =
          "jdbc:h2:tcp://localhost:" + server.getPort() + "/./" + args[1] + ";DB_CLOSE_DELAY=-1";
      return run(url, args[2], new Path(args[3]));
    } finally {
      server.stop();
    }
  }

  private int run(String url, String memory, Path output) throws Exception {
    fill(url);
    DBConfiguration.configureDB(getConf(), DRIVER, url);
    getConf().set("frameworks.library.memory", memory);
    Job job = Job.getInstance(getConf(), "database");
    job.setJarByClass(DatabaseJob.class);
    DataDrivenDBInputFormat.setInput(
        job, Visit.class, "visits", "bytes > 300", "id", "id", "name", "bytes");
    job.setInputFormatClass(DataDrivenDBInputFormat.class);
    job.setMapperClass(ByName.class);
    job.setReducerClass(Sums.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(LongWritable.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    job.setNumReduceTasks(3);
    FileOutputFormat.setOutputPath(job, output);
    if (!job.waitForCompletion(true)) {
      return 1;
    }
    return writeBack(url) ? 0 : 1;
  }

  private boolean writeBack(String url) throws Exception {
    Job job = Job.getInstance(getConf(), "database back");
    job.setJarByClass(DatabaseJob.class);
    DataDrivenDBInputFormat.setInput(job, Visit.class, "visits", null, "id", "id", "name", "bytes");
    job.setInputFormatClass(DataDrivenDBInputFormat.class);
    job.setMapperClass(ByName.class);
    job.setReducerClass(Rows.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(LongWritable.class);
    DBOutputFormat.setOutput(job, "sums", "id", "name", "bytes");
    job.setNumReduceTasks(1);
    job.setMapSpeculativeExecution(false);
    job.setReduceSpeculativeExecution(false);
    if (!job.waitForCompletion(true)) {
      return false;
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select name, bytes from sums order by name")) {
      while (rows.next()) {
        System.out.println("ROW " + rows.getString(1) + " " + rows.getLong(2));
      }
    }
    return true;
  }

  private static void fill(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String table : new String[] {"visits", "sums"}) {
        statement.executeUpdate(
            "create table " + table + " (id bigint, name varchar(20), bytes bigint)");
      }
      try (PreparedStatement insert =
          connection.prepareStatement("insert into visits values (?, ?, ?)")) {
        for (int row = 0; row < ROWS; row++) {
          insert.setLong(1, row);
          insert.setString(2, "name" + row * 31 % 97);
          insert.setLong(3, row * 7919L % 1000);
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
  }

  /** A row. */
  public static final class Visit implements Writable, DBWritable {
    private long id;
    private String name = "";
    private long bytes;

    /** For reflection. */
    public Visit() {}

    Visit(long id, String name, long bytes) {
      this.id = id;
      this.name = name;
      this.bytes = bytes;
    }

    @Override
    public void write(PreparedStatement statement) throws SQLException {
      statement.setLong(1, id);
      statement.setString(2, name);
      statement.setLong(3, bytes);
    }

    @Override
    public void readFields(ResultSet row) throws SQLException {
      id = row.getLong(1);
      name = row.getString(2);
      bytes = row.getLong(3);
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(id);
      out.writeUTF(name);
      out.writeLong(bytes);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      id = in.readLong();
      name = in.readUTF();
      bytes = in.readLong();
    }
  }

  /** (name, bytes). */
  public static final class ByName extends Mapper<LongWritable, Visit, Text, LongWritable> {
    @Override
    protected void map(LongWritable key, Visit visit, Context context)
        throws IOException, InterruptedException {
      context.write(new Text(visit.name), new LongWritable(visit.bytes + visit.id % 5));
    }
  }

  /** Sums, as a database in memory says. */
  public static final class Sums extends Reducer<Text, LongWritable, Text, LongWritable> {
    private Connection memory;

    @Override
    protected void setup(Context context) throws IOException {
      try {
        memory =
            DriverManager.getConnection(
                context.getConfiguration().get("frameworks.library.memory"));
        try (Statement statement = memory.createStatement()) {
          statement.executeUpdate("create table sums (name varchar(20), bytes bigint)");
        }
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }

    @Override
    protected void reduce(Text name, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      try (PreparedStatement insert = memory.prepareStatement("insert into sums values (?, ?)")) {
        for (LongWritable value : values) {
          insert.setString(1, name.toString());
          insert.setLong(2, value.get());
          insert.executeUpdate();
        }
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      try (Statement statement = memory.createStatement();
          ResultSet rows =
              statement.executeQuery(
                  "select name, sum(bytes) from sums group by name order by name")) {
        while (rows.next()) {
          context.write(new Text(rows.getString(1)), new LongWritable(rows.getLong(2)));
        }
        memory.close();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }
  }

  /** Rows for the table of sums. */
  public static final class Rows extends Reducer<Text, LongWritable, Visit, NullWritable> {
    @Override
    protected void reduce(Text name, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      long count = 0;
      for (LongWritable value : values) {
        sum += value.get();
        count++;
      }
      context.write(new Visit(count, name.toString(), sum), NullWritable.get());
    }
  }
}
