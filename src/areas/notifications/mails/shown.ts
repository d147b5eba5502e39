import type { SendMailOptions } from 'nodemailer'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { brandOf, originOf, type ShownBrand, sellerOf } from '#tenants'
import { isOptionalMail } from '../preferences/rules.ts'
import { pageTexts } from '../texts/index.ts'
import { branded, oneLine } from './letter.ts'
import { payUrlFor } from './pay-links.ts'
import type { MailRow } from './queries.ts'
import { stopUrl } from './stops.ts'

type Context = Pick<Deps, 'config' | 'secrets'> & { db: Db }

type Reading = Omit<Context, 'secrets'>

async function surroundingsOf({ db, config }: Reading, { tenantId }: MailRow) {
  const [brand, seller, origin] = await Promise.all([
    brandOf(db, tenantId),
    sellerOf(db, tenantId),
    originOf(db, config, tenantId),
  ])
  return { brand, seller, origin }
}

/**
 * A mail in the brand of its tenant, as text and as a page, for those who administer it: without the
 * link that stops its kind, which is only its person's.
 */
export async function letterOf(context: Reading, mail: MailRow) {
  const { brand, origin } = await surroundingsOf(context, mail)
  return letterIn(mail, { brand, origin, stop: null })
}

type Surroundings = { brand: ShownBrand; origin: string; stop: string | null }

function letterIn({ subject, body, locale }: MailRow, { brand, origin, stop }: Surroundings) {
  const below = stop ? `${pageTexts(locale).stopMails}\n${stop}` : ''
  return branded({ subject, body, below }, { brand, origin })
}

/** A mail as the mail server takes it. Its id is the same at every try. */
export async function envelopeFor(context: Context, mail: MailRow): Promise<SendMailOptions> {
  const { brand, seller, origin } = await surroundingsOf(context, mail)
  const { hostname } = new URL(origin)
  const { tenantId, userId, id, kind, edition } = mail
  const stops = userId !== null && isOptionalMail(kind)
  const stop = stops ? stopUrl(context.secrets, { origin, tenantId, userId, kind }) : null
  const payUrl = payUrlFor(context.secrets, mail, origin)
  const pay = payUrl ? `\n\n${pageTexts(mail.locale).payInvoice}\n${payUrl}` : ''
  return {
    from: {
      name: oneLine(brand.senderName ?? brand.name),
      address: brand.senderAddress ?? seller.email ?? `no-reply@${hostname}`,
    },
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    ...letterIn({ ...mail, body: mail.body + pay }, { brand, origin, stop }),
    messageId: `<${edition === 0 ? id : `${id}.${edition}`}@${hostname}>`,
    ...(stop && {
      headers: {
        // RFC 8058: a mail program stops them with one click, without opening anything.
        'List-Unsubscribe': { prepared: true, value: `<${stop}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
  }
}
