import { newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueueAll } from '#platform/jobs.ts'
import { mailText, textsIn } from '../texts/index.ts'
import type { MailFacts, MailKind, Message } from '../texts/kinds.ts'
import { sendMail } from './jobs.ts'
import { oneLine } from './letter.ts'
import { insertMails } from './queries.ts'

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

/** Writes mails and the jobs that send them, in the transaction that wants them. */
export async function queueMails(tx: Tx, letters: readonly Letter[], now: Instant): Promise<void> {
  const rows = letters.map(({ tenantId, to, name, locale, kind, message, link, reference }) => {
    const greeting = textsIn(locale).greeting(name)
    const body = [greeting, message.body, ...(link ? [link] : [])].join('\n\n')
    const subject = oneLine(message.title)
    const about = { tenantId, id: newId(), reference, kind }
    return { ...about, recipient: to, subject, body, createdAt: now }
  })
  const added = await insertMails(tx, rows)
  const news = rows.filter(({ id }) => added.has(id))
  const jobs = news.map(({ tenantId, id }) => ({ payload: { tenantId, id } }))
  await enqueueAll(tx, sendMail, jobs)
}

/** Writes to an address rather than a person: one without an account, or not theirs any more. */
export async function mailLink<K extends MailKind>(
  tx: Tx,
  to: Pick<Letter, 'tenantId' | 'to' | 'name' | 'locale' | 'reference'>,
  { kind, facts }: { kind: K; facts: MailFacts[K] },
  now: Instant,
): Promise<void> {
  const message = mailText(to.locale, kind, facts)
  await queueMails(tx, [{ ...to, kind, message, link: null }], now)
}
