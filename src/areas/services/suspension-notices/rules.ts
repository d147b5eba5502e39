import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { MailFate } from '#notifications'

/** A step that a customer is told of before it happens to their service. */
export type Step = 'suspension' | 'end'

/** The minimum time between a notice and its step (R4.6). */
export const WARNING_MS = DAY_MS

/** The stored state of the notice before a step. */
export type Warning = {
  readonly writtenAt: Instant
  readonly sentAt: Instant | null
  readonly operatorsToldAt: Instant | null
  readonly fate: MailFate['state']
}

/**
 * Since when a step counts as announced: since its notice was sent or, if it cannot be delivered, since operators know
 * that. Null before both: then nothing happens to the service (R4.6).
 */
export function announcedAt(warning: Warning | null): Instant | null {
  return warning && (warning.sentAt ?? warning.operatorsToldAt)
}

/**
 * Whether a notice has to be written, whatever the days of reminders are: there is none a day before its step. One that
 * was lost through our own fault is written again a day later, because it announced nothing.
 */
export function isMissing(warning: Warning | null, stepAt: Instant, now: Instant): boolean {
  if (now < later(stepAt, -WARNING_MS) || announcedAt(warning) !== null) return false
  if (!warning) return true
  return warning.fate === 'lost' && now >= later(warning.writtenAt, WARNING_MS)
}

/** Whether operators have to be told that the notice before a step cannot be delivered: a day before the step. */
export function isForOperators(warning: Warning | null, stepAt: Instant, now: Instant): boolean {
  if (now < later(stepAt, -WARNING_MS) || announcedAt(warning) !== null) return false
  return warning?.fate === 'refused'
}

/** Whether the next reminder replaces a notice: one that has not been sent and never will be. */
export function isReplaced(warning: Warning | null): boolean {
  return warning === null || warning.fate === 'lost' || warning.fate === 'refused'
}
