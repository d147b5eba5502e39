import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { mailText, textsIn } from '../texts/index.ts'
import type { MailFacts, MailKind, Message } from '../texts/kinds.ts'
import { sendMail } from './jobs.ts'
import { oneLine } from './letter.ts'
import { insertMail } from './queries.ts'

type Letter = {
  tenantId: string
  to: string
  name: string | null
  locale: string
  kind: string
  message: Message
  /** A path of the panel, written under the text. */
  link: string | null
  /** What the mail is about: a second one with the same reference is not sent. */
  reference: string
}

/** Writes a mail and the job that sends it, in the transaction that wants it. */
export async function queueMail(tx: Tx, letter: Letter, now: Instant): Promise<void> {
  const { tenantId, to, name, locale, kind, message, link, reference } = letter
  const id = newId()
  const body = [textsIn(locale).greeting(name), message.body, ...(link ? [link] : [])].join('\n\n')
  const row = {
    tenantId,
    id,
    reference,
    kind,
    recipient: to,
    subject: oneLine(message.title),
    body,
  }
  if (!(await insertMail(tx, { ...row, createdAt: now }))) return
  await enqueue(tx, sendMail, { tenantId, id })
}

/** Writes to an address rather than a person: one without an account, or not theirs any more. */
export async function mailLink<K extends MailKind>(
  tx: Tx,
  to: Pick<Letter, 'tenantId' | 'to' | 'name' | 'locale' | 'reference'>,
  { kind, facts }: { kind: K; facts: MailFacts[K] },
  now: Instant,
): Promise<void> {
  const message = mailText(to.locale, kind, facts)
  await queueMail(tx, { ...to, kind, message, link: null }, now)
}
