// SPDX-License-Identifier: Apache-2.0
/** Jobs whose jars bring libraries with native code, for the suite of frameworks. */
package org.mammoth.frameworks.natives;
