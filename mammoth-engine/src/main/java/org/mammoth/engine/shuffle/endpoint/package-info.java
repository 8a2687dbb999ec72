// SPDX-License-Identifier: Apache-2.0
/** Both ends of the shuffle of one process, with their threads. */
package org.mammoth.engine.shuffle.endpoint;
