// SPDX-License-Identifier: Apache-2.0
/**
 * Functions for the Pig scripts of the suite of frameworks. Pig calls them from one thread of a
 * task, in map, combiner and reduce.
 */
package org.mammoth.frameworks.pig;
