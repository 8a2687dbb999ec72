// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import com.sun.jersey.guice.spi.container.servlet.GuiceContainer;
import org.apache.hadoop.mapreduce.v2.app.webapp.AMWebApp;

/** Upstream's pages of an ApplicationMaster, ready when the first one is asked for. */
public final class LateWebApp extends AMWebApp {

  @Override
  protected Class<? extends GuiceContainer> getWebAppFilterClass() {
    return LateContainer.class;
  }
}
