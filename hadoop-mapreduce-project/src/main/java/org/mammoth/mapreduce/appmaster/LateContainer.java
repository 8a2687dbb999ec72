// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Singleton;
import com.sun.jersey.guice.spi.container.servlet.GuiceContainer;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;

/**
 * Upstream's container of pages, which reads its resource classes when the first page is asked for
 * rather than when it starts: a job waits for its start, and few look at a small one.
 */
@Singleton
public class LateContainer extends GuiceContainer {

  private static final long serialVersionUID = 1;

  private transient FilterConfig config;
  private boolean started;

  @Inject
  public LateContainer(Injector injector) {
    super(injector);
  }

  @Override
  public void init(FilterConfig filterConfig) {
    config = filterConfig;
  }

  private synchronized void start() throws ServletException {
    if (!started) {
      super.init(config);
      started = true;
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    start();
    super.doFilter(request, response, chain);
  }

  @Override
  public synchronized void destroy() {
    if (started) {
      super.destroy();
    }
  }
}
