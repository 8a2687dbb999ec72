// SPDX-License-Identifier: Apache-2.0
/** What a node tells about its engines, as records that are JSON; see docs/engine-json.md. */
package org.mammoth.mapreduce.status;
