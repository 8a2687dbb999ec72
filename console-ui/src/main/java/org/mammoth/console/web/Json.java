// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import org.mammoth.console.model.Figures;

/** How answers become JSON: in each row of numbers, one that is not known is null. */
final class Json {

  private Json() {}

  static ObjectMapper mapper() {
    SimpleModule rows = new SimpleModule("rows of numbers");
    rows.addSerializer(long[].class, new Rows());
    rows.addSerializer(long.class, new Number());
    rows.addSerializer(Long.class, new Number());
    return new ObjectMapper().registerModule(rows);
  }

  private static final class Number extends StdSerializer<Long> {

    private static final long serialVersionUID = 1;

    Number() {
      super(Long.class);
    }

    @Override
    public void serialize(Long value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (Figures.known(value)) {
        out.writeNumber(value);
      } else {
        out.writeNull();
      }
    }
  }

  private static final class Rows extends StdSerializer<long[]> {

    private static final long serialVersionUID = 1;

    Rows() {
      super(long[].class);
    }

    @Override
    public void serialize(long[] row, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeStartArray();
      for (long value : row) {
        if (Figures.known(value)) {
          out.writeNumber(value);
        } else {
          out.writeNull();
        }
      }
      out.writeEndArray();
    }
  }
}
