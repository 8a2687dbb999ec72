// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs beyond the present: which are put into the archive and when, how they are found again, what
 * Mammoth saved them, why tasks fell back. {@code JobArchivist} has a thread of its own; {@code
 * FallbackNotes} and {@code JobPeaksReader} may be asked by any; the rest is computed from what it
 * is given and keeps nothing.
 */
package org.mammoth.console.jobs;
