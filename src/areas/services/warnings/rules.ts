import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { MailFate } from '#notifications'

/** What a customer is told of before it happens to their service. */
export type Step = 'suspension' | 'end'

/** Nothing happens to a service within this time of the notice before it (R4.6). */
export const WARNING_MS = DAY_MS

/** What is known of the notice before a step. */
export type Warning = {
  readonly writtenAt: Instant
  readonly sentAt: Instant | null
  readonly operatorsToldAt: Instant | null
  readonly fate: MailFate['state']
}

/**
 * Since when a step counts as announced: since its notice went out or, where nobody takes it, since
 * operators know that. Null while neither is so: then nothing happens to the service (R4.6).
 */
export function announcedAt(warning: Warning | null): Instant | null {
  return warning && (warning.sentAt ?? warning.operatorsToldAt)
}

/**
 * Whether a notice has to be written, whatever the days of reminders are: a day before its step none is
 * on its way. One that got lost on ours is written again a day later: our own trouble announces nothing.
 */
export function isMissing(warning: Warning | null, stepAt: Instant, now: Instant): boolean {
  if (now < later(stepAt, -WARNING_MS) || announcedAt(warning) !== null) return false
  if (!warning) return true
  return warning.fate === 'lost' && now >= later(warning.writtenAt, WARNING_MS)
}

/** Whether operators have to hear that nobody takes the notice before a step: a day ahead of it. */
export function isForOperators(warning: Warning | null, stepAt: Instant, now: Instant): boolean {
  if (now < later(stepAt, -WARNING_MS) || announcedAt(warning) !== null) return false
  return warning?.fate === 'refused'
}

/** Whether the next reminder takes the place of a notice: that one has not gone out and never will. */
export function isReplaced(warning: Warning | null): boolean {
  return warning === null || warning.fate === 'lost' || warning.fate === 'refused'
}
