// SPDX-License-Identifier: Apache-2.0
/** What stands for a job's own classes, in a package that no engine has. */
package org.mammoth.jobs;
