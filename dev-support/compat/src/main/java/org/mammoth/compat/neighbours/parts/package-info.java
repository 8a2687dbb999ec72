// SPDX-License-Identifier: Apache-2.0
/** Parts that a job's jar may bring and name in META-INF/services. */
package org.mammoth.compat.neighbours.parts;
