// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;

/**
 * What shared classes make or extend for an {@link ObjectInputStream}: finds the job's classes,
 * too, which in a process of its own would be beside those of Hadoop. The JDK looks only where the
 * class that reads has come from. For one thread, as upstream's.
 */
public class TaskObjectInputStream extends ObjectInputStream {

  /** As {@link ObjectInputStream#ObjectInputStream(InputStream)}. */
  public TaskObjectInputStream(InputStream in) throws IOException {
    super(in);
  }

  /** As {@link ObjectInputStream#ObjectInputStream()}. */
  protected TaskObjectInputStream() throws IOException {}

  @Override
  protected Class<?> resolveClass(ObjectStreamClass type)
      throws IOException, ClassNotFoundException {
    try {
      return super.resolveClass(type);
    } catch (ClassNotFoundException e) {
      return Class.forName(type.getName(), false, LoaderCalls.ofJobOr(e));
    }
  }

  @Override
  @SuppressWarnings("deprecation") // There is no other way to name a proxy's class.
  protected Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException {
    try {
      return super.resolveProxyClass(interfaces);
    } catch (ClassNotFoundException e) {
      ClassLoader ofJob = LoaderCalls.ofJobOr(e);
      Class<?>[] types = new Class<?>[interfaces.length];
      for (int i = 0; i < types.length; i++) {
        types[i] = Class.forName(interfaces[i], false, ofJob);
      }
      return Proxy.getProxyClass(ofJob, types);
    }
  }
}
