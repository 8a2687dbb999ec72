// SPDX-License-Identifier: Apache-2.0
/**
 * Gives each process of an engine static fields of its own in classes that all share: which fields
 * ({@code task-statics.txt}), how classes are rewritten for it as they load, and what rewritten
 * code calls. The technique is Czajkowski's ("Application Isolation in the Java Virtual Machine",
 * 2000), for listed fields instead of all.
 */
package org.mammoth.engine.statics;
