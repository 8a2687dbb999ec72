// SPDX-License-Identifier: Apache-2.0
/** Programs in other languages of the JVM, run by maps. */
package org.mammoth.frameworks.languages;
