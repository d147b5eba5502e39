import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { MailRow } from './queries.ts'

/** The state of a mail. `kept`: stored without being queued, because there is no mail server. */
export type MailState = 'queued' | 'kept' | 'sent' | 'failed' | 'undeliverable'

export const MAIL_STATES = ['queued', 'kept', 'sent', 'failed', 'undeliverable'] as const

type Ends = Pick<MailRow, 'sentAt' | 'failedAt' | 'suppressedAt'>

/** The state of a mail, derived from its recorded events. */
export function stateOf({ sentAt, failedAt, suppressedAt }: Ends, mailServer: boolean): MailState {
  if (sentAt) return 'sent'
  if (failedAt) return 'failed'
  if (suppressedAt) return 'undeliverable'
  return mailServer ? 'queued' : 'kept'
}

/**
 * What became of a notice that a person must receive. `refused`: the recipient's side rejects it. `lost`: it
 * failed, was deleted, or got stuck on our side, and may be written again.
 */
export type MailFate = { state: 'sent'; at: Instant } | { state: 'waiting' | 'refused' | 'lost' }

/** Longer than a mail is tried. A mail that waits longer was written before there was a mail server. */
const LOST_MS = 2 * DAY_MS

type Facts = Ends & Pick<MailRow, 'createdAt' | 'refusedAt'>

/**
 * What became of a mail. Without a mail server it is stored for administrators to see, and counts as
 * sent at the time it was written.
 */
export function fateOf(
  mail: Facts,
  { now, mailServer }: { now: Instant; mailServer: boolean },
): MailFate {
  if (mail.sentAt) return { state: 'sent', at: mail.sentAt }
  if (mail.refusedAt || mail.suppressedAt) return { state: 'refused' }
  if (mail.failedAt) return { state: 'lost' }
  if (!mailServer) return { state: 'sent', at: mail.createdAt }
  return { state: mail.createdAt <= later(now, -LOST_MS) ? 'lost' : 'waiting' }
}

/** A mail, without its text once the link in it is no longer valid. */
export function shownText<M extends Pick<MailRow, 'body' | 'content' | 'usefulUntil'>>(
  mail: M,
  now: Instant,
): M {
  return mail.usefulUntil && mail.usefulUntil <= now ? { ...mail, body: '', content: null } : mail
}

/** The meaning of a mail server's refusal. */
export type Verdict = {
  reason: string
  /** Another try would be refused again. */
  lasting: boolean
  /** There is no such address: no other mail to it will arrive either. */
  unknownAddress: boolean
}

const REASON_LENGTH = 500
/** RFC 3463, 5.1.x: about the recipient's address; 5.1.7 and 5.1.8 are about the sender's. */
const UNKNOWN_ADDRESS = /(^|\D)5\.1\.(?!7\b|8\b)\d{1,3}\b/

/**
 * Interprets why a mail could not be sent. A refusal of its recipient or of its content (5xx) is permanent. Only an
 * enhanced code 5.1.x is about the address: a plain 550 may also come from a misconfigured relay,
 * 5.7.x is policy, and a refused sign-in or sender is ours to repair, so those are tried again.
 */
export function verdictOf(error: unknown): Verdict {
  const { responseCode, command, response } = (error instanceof Error ? error : {}) as {
    responseCode?: unknown
    command?: unknown
    response?: unknown
  }
  const text = error instanceof Error ? error.message : String(error)
  const refused = typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600
  const ofRecipient = refused && command === 'RCPT TO'
  return {
    reason: text.slice(0, REASON_LENGTH),
    lasting: ofRecipient || (refused && command === 'DATA'),
    unknownAddress: ofRecipient && UNKNOWN_ADDRESS.test(String(response)),
  }
}
