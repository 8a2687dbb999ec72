// SPDX-License-Identifier: Apache-2.0
/**
 * The HTTP side: the page, the interface below {@code /api/v1}, the stream, metrics, and who may
 * see and do what. Filters come first ({@code SecurityHeaders}, {@code Gate}, {@code
 * Authentication}), then {@code ApiServlet} finds the {@code Route}.
 *
 * <p>Requests run on the server's threads. An answer that its reader does not take is sent without
 * a thread ({@code AsyncBody}), and so are streams. Monitors (sessions, shares, the audit log, what
 * is kept of earlier runs) are not taken one under another. The audit log and the sessions write
 * their file under theirs, as an order must be on disk before it is carried out.
 */
package org.mammoth.console.web;
