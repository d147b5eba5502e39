import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { MailRow } from './queries.ts'

/** What became of a mail. `kept`: there is no mail server; it waits for nobody. */
export type MailState = 'queued' | 'kept' | 'sent' | 'failed' | 'undeliverable'

export const MAIL_STATES = ['queued', 'kept', 'sent', 'failed', 'undeliverable'] as const

type Ends = Pick<MailRow, 'sentAt' | 'failedAt' | 'suppressedAt'>

/** The state of a mail, which follows from what happened to it. */
export function stateOf({ sentAt, failedAt, suppressedAt }: Ends, mailServer: boolean): MailState {
  if (sentAt) return 'sent'
  if (failedAt) return 'failed'
  if (suppressedAt) return 'undeliverable'
  return mailServer ? 'queued' : 'kept'
}

/**
 * What became of a notice that somebody has to have. `refused`: their side does not take it. `lost`: it
 * was given up, or deleted, or lay about on ours, and may be written again.
 */
export type MailFate = { state: 'sent'; at: Instant } | { state: 'waiting' | 'refused' | 'lost' }

/** Longer than a mail is tried. What waits on was written before there was a mail server. */
const LOST_MS = 2 * DAY_MS

type Facts = Ends & Pick<MailRow, 'createdAt' | 'refusedAt'>

/**
 * What became of a mail. Without a mail server it is kept where administrators see it, and counts as
 * sent from when it was written.
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

/** A mail without its text once the link in it opens nothing any more. */
export function shownText<M extends Pick<MailRow, 'body' | 'content' | 'usefulUntil'>>(
  mail: M,
  now: Instant,
): M {
  return mail.usefulUntil && mail.usefulUntil <= now ? { ...mail, body: '', content: null } : mail
}

/** What a mail server's refusal means. */
export type Verdict = {
  reason: string
  /** Trying again would be refused again. */
  lasting: boolean
  /** There is no such address: nothing else will arrive there either. */
  unknownAddress: boolean
}

const REASON_LENGTH = 500
/** RFC 3463, 5.1.x: the address; 5.1.7 and 5.1.8 are about the sender's. */
const UNKNOWN_ADDRESS = /(^|\D)5\.1\.(?!7\b|8\b)\d{1,3}\b/

/**
 * Reads why a mail did not go out. A refusal of its recipient or of its content (5xx) lasts. Only an
 * enhanced code 5.1.x speaks of the address: a bare 550 may as well be a relay that is set up wrong,
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
