// SPDX-License-Identifier: Apache-2.0
/**
 * Stand-ins of what takes names of files, and of locks, open files and zips: names are resolved
 * against the task's working folder. Called by any thread; state is the task's own.
 */
package org.mammoth.engine.isolation.standins.files;
