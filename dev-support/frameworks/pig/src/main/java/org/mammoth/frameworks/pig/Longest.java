// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.pig;

import java.io.IOException;
import org.apache.pig.Algebraic;
import org.apache.pig.EvalFunc;
import org.apache.pig.data.DataBag;
import org.apache.pig.data.Tuple;
import org.apache.pig.data.TupleFactory;

/**
 * The longest string of a bag, the first in order among equally long ones. Being algebraic, it runs
 * in map, combiner and reduce.
 */
public class Longest extends EvalFunc<String> implements Algebraic {

  @Override
  public String exec(Tuple input) throws IOException {
    return longest((DataBag) input.get(0));
  }

  @Override
  public String getInitial() {
    return Initial.class.getName();
  }

  @Override
  public String getIntermed() {
    return Intermediate.class.getName();
  }

  @Override
  public String getFinal() {
    return Final.class.getName();
  }

  private static String longest(DataBag bag) throws IOException {
    String best = null;
    for (Tuple tuple : bag) {
      String next = (String) tuple.get(0);
      if (next != null && (best == null || isBetter(next, best))) {
        best = next;
      }
    }
    return best;
  }

  private static boolean isBetter(String one, String other) {
    return one.length() != other.length()
        ? one.length() > other.length()
        : one.compareTo(other) < 0;
  }

  private static Tuple partial(Tuple input) throws IOException {
    return TupleFactory.getInstance().newTuple((Object) longest((DataBag) input.get(0)));
  }

  /** In the map: a bag of one value. */
  public static class Initial extends EvalFunc<Tuple> {
    @Override
    public Tuple exec(Tuple input) throws IOException {
      return partial(input);
    }
  }

  /** In the combiner. */
  public static class Intermediate extends EvalFunc<Tuple> {
    @Override
    public Tuple exec(Tuple input) throws IOException {
      return partial(input);
    }
  }

  /** In the reduce. */
  public static class Final extends EvalFunc<String> {
    @Override
    public String exec(Tuple input) throws IOException {
      return longest((DataBag) input.get(0));
    }
  }
}
