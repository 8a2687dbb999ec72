// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A number of a record that is -1, and not 0, where the writer does not tell it. */
@Retention(RetentionPolicy.RUNTIME)
@JacksonAnnotationsInside
@JsonDeserialize(using = Untold.Reader.class)
@interface Untold {

  /** Reads it. */
  final class Reader extends StdDeserializer<Long> {

    private static final long serialVersionUID = 1;

    Reader() {
      super(Long.class);
    }

    @Override
    public Long deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      return _parseLongPrimitive(parser, context);
    }

    @Override
    public Long getNullValue(DeserializationContext context) {
      return -1L;
    }
  }
}
