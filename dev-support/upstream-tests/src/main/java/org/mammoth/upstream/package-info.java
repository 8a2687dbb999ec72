// SPDX-License-Identifier: Apache-2.0
/**
 * Watches the NodeManagers of a JVM in which upstream's tests run, and writes down how many tasks
 * their engines took. One daemon thread, started with the tests.
 */
package org.mammoth.upstream;
