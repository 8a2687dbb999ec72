// SPDX-License-Identifier: Apache-2.0
/** Outputs of a node's maps that its own engine merges into one stream for a reduce elsewhere. */
package org.mammoth.engine.levitated.node;
