// SPDX-License-Identifier: Apache-2.0
/** Apache ORC's input and output formats. */
package org.mammoth.frameworks.orc;
