// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code mammoth-upgrade}: check, apply, status and rollback, of this node or of many.
 * The main thread; with many hosts a thread for each of a batch, which share only the printer.
 */
package org.mammoth.upgrade.cli;
