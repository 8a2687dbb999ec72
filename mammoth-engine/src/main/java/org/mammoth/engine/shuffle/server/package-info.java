// SPDX-License-Identifier: Apache-2.0
/** Serves map output to those who fetch it and pushes it to those who subscribed. */
package org.mammoth.engine.shuffle.server;
