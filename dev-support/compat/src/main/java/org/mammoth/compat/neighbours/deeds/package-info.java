// SPDX-License-Identifier: Apache-2.0
/** What hostile programs do, one class for each, sorted by what they change. */
package org.mammoth.compat.neighbours.deeds;
