// SPDX-License-Identifier: Apache-2.0
/** Names that daemons and those who read them share. Anybody may use it; it has no state. */
package org.mammoth.api;
