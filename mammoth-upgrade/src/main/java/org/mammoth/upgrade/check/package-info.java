// SPDX-License-Identifier: Apache-2.0
/**
 * The doctor: looks at one node before Mammoth is added to it, changes nothing, and says for each
 * thing it finds what it means and what to do. One thread.
 */
package org.mammoth.upgrade.check;
