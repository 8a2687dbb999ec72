// SPDX-License-Identifier: Apache-2.0
/** Fetches map output from other nodes and receives what they push. */
package org.mammoth.engine.shuffle.client;
