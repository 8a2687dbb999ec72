// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;

/**
 * One live stream. Holds no thread and no queue: while the connection takes nothing, the seconds
 * that pass are dropped.
 */
final class StreamClient implements WriteListener, AsyncListener {

  private final StreamHub hub;
  private final AsyncContext context;
  private final ServletOutputStream out;
  private final Viewer viewer;
  private final String name;
  private long seen = -1;
  private boolean started;
  private boolean ended;
  private StreamHub.Frames next;

  /**
   * @param name whose share of the streams it takes
   */
  StreamClient(StreamHub hub, AsyncContext context, Viewer viewer, String name) throws IOException {
    this.name = name;
    this.hub = hub;
    this.context = context;
    this.out = context.getResponse().getOutputStream();
    this.viewer = viewer;
  }

  String name() {
    return name;
  }

  /** A second has passed. */
  void offer(StreamHub.Frames frames) {
    synchronized (this) {
      next = frames;
      if (!started) {
        return;
      }
    }
    drain();
  }

  @Override
  public void onWritePossible() {
    synchronized (this) {
      started = true;
    }
    drain();
  }

  private synchronized void drain() {
    try {
      while (!ended && next != null && out.isReady()) {
        StreamHub.Frames frames = next;
        next = null;
        if (frames.sequence() > seen) {
          byte[] event = frames.of(viewer, seen);
          seen = frames.sequence();
          out.write(event);
          if (out.isReady()) {
            out.flush();
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      end();
    }
  }

  private void end() {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    hub.remove(this);
    try {
      context.complete();
    } catch (IllegalStateException e) {
      // The container ended it first.
      return;
    }
  }

  @Override
  public void onError(Throwable failure) {
    end();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    end();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    end();
  }

  @Override
  public void onError(AsyncEvent event) {
    end();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // Started once, by the servlet.
  }
}
