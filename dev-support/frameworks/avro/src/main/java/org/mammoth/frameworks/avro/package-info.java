// SPDX-License-Identifier: Apache-2.0
/**
 * Avro's part of the suite of frameworks: two jobs whose records cross the shuffle in Avro's
 * serialisation. Runs in a client and in tasks, like any user's job.
 */
package org.mammoth.frameworks.avro;
