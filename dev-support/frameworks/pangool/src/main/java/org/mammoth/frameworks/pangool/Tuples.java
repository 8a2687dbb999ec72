// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.pangool;

import com.datasalt.pangool.io.Fields;
import com.datasalt.pangool.io.ITuple;
import com.datasalt.pangool.io.Schema;
import com.datasalt.pangool.io.Tuple;
import com.datasalt.pangool.tuplemr.TupleMapper;
import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;

/** The tuples of the jobs here, and how they are read from the suite's texts. */
final class Tuples {

  static final Schema USER = new Schema("user", Fields.parse("name:string, country:string"));
  static final Schema VISIT =
      new Schema("visit", Fields.parse("name:string, page:string?, second:long, bytes:int"));
  static final Schema HOST =
      new Schema("host", Fields.parse("host:string, visits:long, bytes:long"));

  private Tuples() {}

  /** Makes a tuple of each line's columns. */
  private abstract static class Columns extends TupleMapper<LongWritable, Text> {

    private static final long serialVersionUID = 1;

    private final Schema schema;
    private transient Tuple tuple;

    Columns(Schema schema) {
      this.schema = schema;
    }

    abstract void fill(Tuple tuple, String[] columns);

    @Override
    public void map(LongWritable at, Text line, TupleMRContext context, Collector out)
        throws IOException, InterruptedException {
      if (tuple == null) {
        tuple = new Tuple(schema);
      }
      fill(tuple, line.toString().split("\t"));
      out.write(tuple);
    }
  }

  /** Reads a user: name, country, age. */
  static final class Users extends Columns {

    private static final long serialVersionUID = 1;

    Users() {
      super(USER);
    }

    @Override
    void fill(Tuple user, String[] columns) {
      user.set("name", columns[0]);
      user.set("country", columns[1]);
    }
  }

  /** Reads a visit: user, page, second, bytes; pages that nobody lists are null. */
  static final class Visits extends Columns {

    private static final long serialVersionUID = 1;

    Visits() {
      super(VISIT);
    }

    @Override
    void fill(Tuple visit, String[] columns) {
      visit.set("name", columns[0]);
      visit.set("page", columns[1].contains("elsewhere") ? null : columns[1]);
      visit.set("second", Long.parseLong(columns[2]));
      visit.set("bytes", Integer.parseInt(columns[3]));
    }
  }

  /** Makes a visit's host of it, which counts once. */
  static final class Hosts extends Columns {

    private static final long serialVersionUID = 1;

    Hosts() {
      super(HOST);
    }

    @Override
    void fill(Tuple host, String[] columns) {
      host.set("host", columns[1].split("/")[2]);
      host.set("visits", 1L);
      host.set("bytes", Long.parseLong(columns[3]));
    }
  }

  /** A tuple as a line with tabs. */
  static Text line(ITuple tuple) {
    StringBuilder text = new StringBuilder(tuple.getSchema().getName());
    for (int field = 0; field < tuple.getSchema().getFields().size(); field++) {
      text.append('\t').append(tuple.get(field));
    }
    return new Text(text.toString());
  }
}
