import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueueAll } from '#platform/jobs.ts'
import { mailText } from '../texts/index.ts'
import type { MailFacts, MailKind, Message } from '../texts/kinds.ts'
import { reportTemplate, sendMail } from '../work.ts'
import { contentOf, textOf } from './content.ts'
import { oneLine } from './letter.ts'
import {
  insertMails,
  listUndeliverable,
  lockMail,
  type MailKey,
  type MailRow,
  markAgain,
  unmarkUndeliverable,
} from './queries.ts'
import type { Values } from './templates/kinds.ts'
import { mailValues } from './templates/placeholders.ts'
import { wordingsOf } from './templates/wording.ts'

type Letter = {
  tenantId: string
  /** The recipient's account; null for an address without an account. */
  userId: string | null
  to: string
  name: string | null
  locale: string
  kind: string
  message: Message
  /** The placeholders for a text of the shop; missing for a mail whose text a shop cannot write. */
  values?: Values
  /** The target of its button: a path of the panel, or a whole URL. */
  link: string | null
  /** When the link in its text ends: after that the text is not needed any more. */
  usefulUntil?: Instant
  /** Identifies what the mail is about: a second one with the same reference is not sent. */
  reference: string
}

/** Mails by which an owner proves an address: sent also to an undeliverable one, the only way to restore it. */
const PROOFS: ReadonlySet<string> = new Set<MailKind>([
  'verify_email',
  'reset_password',
  'account_created',
])

/**
 * Stores mails and queues the jobs that send them, in the caller's transaction. A mail to an address that
 * does not exist is stored but not sent.
 */
export async function queueMails(tx: Tx, letters: readonly Letter[], now: Instant): Promise<void> {
  const [first] = letters
  if (!first) return
  const checked = letters.flatMap(({ kind, to }) => (PROOFS.has(kind) ? [] : to.toLowerCase()))
  const [dead, wordings] = await Promise.all([
    listUndeliverable(tx, first.tenantId, checked),
    wordingsOf(tx, letters),
  ])
  const rows = letters.map(({ tenantId, userId, to, name, locale, ...letter }, at) => {
    const { kind, link, reference, usefulUntil = null } = letter
    const message = wordings[at]?.message ?? letter.message
    const content = contentOf({ message, locale, name, link })
    const body = textOf(content)
    const subject = oneLine(message.title)
    const about = { tenantId, id: newId(), userId, reference, kind, locale, usefulUntil }
    const suppressedAt = !PROOFS.has(kind) && dead.has(to.toLowerCase()) ? now : null
    const text = { subject, body, content }
    return { ...about, ...text, recipient: to, createdAt: now, suppressedAt }
  })
  const added = await insertMails(tx, rows)
  const news = rows.filter(({ id, suppressedAt }) => added.has(id) && !suppressedAt)
  const jobs = news.map(({ tenantId, id }) => ({ payload: { tenantId, id } }))
  await enqueueAll(tx, sendMail, jobs)
  const unused = wordings.flatMap((it) => it.unused ?? [])
  await enqueueAll(
    tx,
    reportTemplate,
    unused.map((payload) => ({ payload, key: `${payload.kind} ${payload.locale}` })),
  )
}

type Recipient = Pick<Letter, 'tenantId' | 'to' | 'name' | 'locale' | 'reference'> &
  Partial<Pick<Letter, 'userId' | 'usefulUntil'>>

/** Writes to an address instead of a person: one without an account, or one that is not theirs any more. */
export async function mailLink<K extends MailKind>(
  tx: Tx,
  to: Recipient,
  { kind, facts }: { kind: K; facts: MailFacts[K] },
  now: Instant,
): Promise<void> {
  const message = mailText(to.locale, kind, facts)
  const link = 'url' in facts ? facts.url : null
  const values = mailValues(kind, facts, to.locale)
  const letter = { userId: null, ...to, kind, message, link, ...(values && { values }) }
  await queueMails(tx, [letter], now)
}

/**
 * Sends a mail again, at an administrator's request also to an address that did not exist before.
 * 404, and 409 for one that is waiting, whose text is deleted, or without a mail server.
 */
export async function sendAgain(
  tx: Tx,
  { key, mailServer }: { key: MailKey; mailServer: boolean },
  now: Instant,
): Promise<MailRow> {
  const mail = await lockMail(tx, key)
  if (!mail) throw notFound('Mail')
  if (!mailServer) throw conflict('There is no mail server.', 'no_mail_server')
  if (mail.body === '' || (mail.usefulUntil && mail.usefulUntil <= now)) {
    throw conflict('The link in this mail has expired.', 'mail_over')
  }
  await unmarkUndeliverable(tx, { tenantId: key.tenantId, address: mail.recipient.toLowerCase() })
  const again = await markAgain(tx, key)
  // At most one job per mail is queued, however often it is requested.
  await enqueueAll(tx, sendMail, [{ payload: { tenantId: key.tenantId, id: key.id }, key: key.id }])
  return again
}
