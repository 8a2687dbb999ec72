// SPDX-License-Identifier: Apache-2.0
/**
 * What daemons tell of themselves and answer to administrators, as records that are JSON; of
 * engines see docs/engine-json.md. Values: any thread, any side of the wire.
 */
package org.mammoth.api.status;
