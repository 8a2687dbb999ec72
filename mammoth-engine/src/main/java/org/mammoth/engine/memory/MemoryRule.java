// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/** Why the scheduler decided as it did. */
public enum MemoryRule {
  /** There was room within the quota. */
  ROOM(true),
  /** A running map's guaranteed minimum (mammoth.memory.map.guaranteed-units). */
  GUARANTEED(true),
  /** Maps exceeded their quota while memory was free; the reduces' quota shrank by it. */
  BORROWED(true),
  /** A reduce without any memory and without a quota gets one unit, so that it moves on. */
  FLOOR(true),
  /** It had been passed over too often by requests of its kind. */
  AGED(true),
  /** It had been passed over too often by requests of any kind. */
  STARVING(true),
  /** The reduce's quota is used up. */
  QUOTA(false),
  /** What is free is kept for sort buffers of running maps, by the peak of earlier ones. */
  RESERVE(false),
  /** The job has its share by weight, and a poorer job was refused a moment ago. */
  SHARE(false),
  /** No unit is free, or what is free belongs to running maps' guaranteed minimum. */
  NO_ROOM(false),
  /** Memory was revoked for a request of a higher kind, or of the same kind by a poorer job. */
  PRIORITY(false),
  /** A reduce's own memory was revoked for its own request. */
  OWN_QUOTA(false),
  /** The quota shrank below what was held while the pool was nearly full. */
  OVER_QUOTA(false),
  /** The pool was nearly full while maps ran whose needs are not known yet. */
  WATERMARK(false),
  /** The limit of the engine's pool shrank below what was held: other users are at work too. */
  NODE_SHARE(false),
  /** Data changed its owner. */
  HANDED_OVER(false),
  /** Map output stays at another node until it is merged (mammoth.shuffle.merge). */
  LEVITATED(false),
  /** The attempt or the job ended. */
  ENDED(false);

  private final boolean grants;

  MemoryRule(boolean grants) {
    this.grants = grants;
  }

  /** Whether a request decided by this rule gets memory. */
  public boolean grants() {
    return grants;
  }
}
