// SPDX-License-Identifier: Apache-2.0
/** Two plugins for Nutch, whose own are in no Maven repository: a protocol and a parser. */
package org.mammoth.frameworks.nutch;
