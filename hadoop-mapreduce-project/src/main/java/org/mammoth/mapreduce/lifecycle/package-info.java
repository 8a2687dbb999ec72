// SPDX-License-Identifier: Apache-2.0
/**
 * What the lives of engines and of the containers in them have in common: time that cannot jump,
 * waiting that a simulation can replace, timers that go on. The two state machines are drawn in
 * docs/lifecycle.md.
 */
package org.mammoth.mapreduce.lifecycle;
