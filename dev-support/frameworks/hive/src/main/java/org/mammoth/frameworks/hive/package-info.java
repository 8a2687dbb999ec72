// SPDX-License-Identifier: Apache-2.0
/**
 * A function for the Hive queries of the suite of frameworks. Hive calls it from one thread of a
 * task.
 */
package org.mammoth.frameworks.hive;
