// SPDX-License-Identifier: Apache-2.0
/** Test suites that libraries publish, run by maps. */
package org.mammoth.frameworks.suites;
