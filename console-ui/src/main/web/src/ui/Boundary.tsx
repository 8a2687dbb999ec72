// SPDX-License-Identifier: Apache-2.0
import { Component, type ReactNode } from 'react';

/** What could not be drawn is drawn anew after so many milliseconds. */
const AGAIN_MS = 5000;

interface State {
  error: Error | null;
}

/** Something that cannot be drawn takes only what is within this with it: it is said, and tried again, as nobody may be there to reload the page. */
export class Boundary extends Component<{ what: string; children: ReactNode }, State> {
  override state: State = { error: null };
  private timer = 0;

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.setState({ error: null }), AGAIN_MS);
  }

  override componentWillUnmount() {
    window.clearTimeout(this.timer);
  }

  override render() {
    const { error } = this.state;
    return error ? (
      <p className="problem" role="alert">
        {this.props.what} cannot be drawn, and is tried again every few seconds: {error.message}
      </p>
    ) : (
      this.props.children
    );
  }
}
