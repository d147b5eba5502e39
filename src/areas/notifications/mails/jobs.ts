import { createTransport, type Transporter } from 'nodemailer'
import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { MINUTE_MS } from '#lib/time.ts'
import type { JobContext } from '#platform/deps.ts'
import { job } from '#platform/jobs.ts'
import { brandOf, originOf, sellerOf } from '#tenants'
import { branded, oneLine } from './letter.ts'
import { findMail, markFailed, markSent } from './queries.ts'

const SEND_MS = MINUTE_MS

/** Sends one mail; without a mail server it stays kept. A repeat sends nothing twice once it is noted. */
export const sendMail = job(
  'notifications.send-mail',
  Type.Object({ tenantId: Id, id: Id }),
  async ({ db, config, clock, transact }: JobContext, { tenantId, id }) => {
    const mail = await findMail(db, { tenantId, id })
    if (!mail || mail.sentAt || !config.smtpUrl) return
    const [brand, seller, origin] = await Promise.all([
      brandOf(db, tenantId),
      sellerOf(db, tenantId),
      originOf(db, config, tenantId),
    ])
    const { hostname } = new URL(origin)
    const letter = branded(mail, { brand, origin })
    try {
      await transportFor(config.smtpUrl).sendMail({
        from: {
          name: oneLine(brand.senderName ?? brand.name),
          address: brand.senderAddress ?? seller.email ?? `no-reply@${hostname}`,
        },
        to: { name: '', address: mail.recipient },
        subject: mail.subject,
        text: letter.text,
        html: letter.html,
        // The same id at every try: a server that got it already can tell.
        messageId: `<${id}@${hostname}>`,
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      await transact((tx) => markFailed(tx, { tenantId, id }, reason.slice(0, 500)))
      throw error
    }
    await transact((tx) => markSent(tx, mail, clock.now()))
  },
  { concurrency: 4, retrySeconds: 10 },
)

const transports = new Map<string, Transporter>()

function transportFor(url: string): Transporter {
  let transport = transports.get(url)
  if (!transport) {
    transport = createTransport(
      { url, pool: true, connectionTimeout: SEND_MS, socketTimeout: SEND_MS },
      { disableFileAccess: true, disableUrlAccess: true },
    )
    transports.set(url, transport)
  }
  return transport
}
