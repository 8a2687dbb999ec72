/** Parts that a job's jar may bring and name in META-INF/services. */
package org.mammoth.compat.neighbours.parts;
