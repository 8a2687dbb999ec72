// SPDX-License-Identifier: Apache-2.0
/**
 * Alerts and events: rules judged once a second over a moment of the cluster, what becomes of the
 * alerts they raise, who is told, and a log of what happened.
 *
 * <p>{@code Alerts.second} and {@code ClusterEvents.see} are called by the ticking thread alone.
 * Administrators' orders and readers come on the web server's threads; {@code Alerts} and {@code
 * EventLog} have a monitor each, and the log's is taken under that of the alerts, never the other
 * way round. The state file is written under the monitor of the alerts, as an order has to be on
 * disk before it is answered. Channels send on threads of their own and are never waited for,
 * except by who asks for a test.
 */
package org.mammoth.console.alert;
