// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The SSD space of a slave, in bytes.
 *
 * @param inputCapacity of the Input Cache, -1 if the slave tells no space yet
 * @param inputUsed of it
 * @param localizedCapacity of the Localized Cache, what it borrows included
 * @param localizedUsed of it
 * @param localizedPeak the most of it that was used; null in the master's report
 * @param localizedRefused requests for it that were refused; null in the master's report
 * @param pool the Dynamic Pool
 * @param poolLent of it to the Localized Cache
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CacheSpace(
    @Untold long inputCapacity,
    long inputUsed,
    long localizedCapacity,
    long localizedUsed,
    Long localizedPeak,
    Long localizedRefused,
    long pool,
    long poolLent) {}
