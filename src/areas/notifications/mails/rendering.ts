import type { SendMailOptions } from 'nodemailer'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { brandOf, imprintOf, originOf, type ShownBrand, sellerOf } from '#tenants'
import { isOptionalMail } from '../preferences/rules.ts'
import { pageTexts } from '../texts/index.ts'
import type { Kind, MailKind, Message } from '../texts/kinds.ts'
import type { MailReason } from '../texts/language.ts'
import { contentOf, contentOfText, type MailContent, textOf } from './content.ts'
import { branded, oneLine } from './letter.ts'
import { payUrlFor } from './pay-links.ts'
import { isSecretLink, type MailRow } from './queries.ts'
import { stopUrl } from './stops.ts'

type Context = Pick<Deps, 'config' | 'secrets'> & { db: Db }

type Reading = Omit<Context, 'secrets'>

/** The brand of a tenant, its legal line and the address of its shop, as its mails show them. */
export async function surroundingsOf(
  { db, config }: Reading,
  { tenantId }: Pick<MailRow, 'tenantId'>,
) {
  const [brand, seller, imprint, origin] = await Promise.all([
    brandOf(db, tenantId),
    sellerOf(db, tenantId),
    imprintOf(db, tenantId),
    originOf(db, config, tenantId),
  ])
  const identity = brand.legalFooter?.trim() || legalLineOf(imprint)
  const legal = [identity, brand.supportAddress].filter(Boolean).join(' · ')
  return { brand, seller, legal, origin }
}

/** The seller in one line, for shops without a legal footer. */
function legalLineOf(imprint: Awaited<ReturnType<typeof imprintOf>>): string {
  if (!imprint) return ''
  const { name, address, vatNumber } = imprint
  const place = [address.postcode, address.city].filter(Boolean).join(' ')
  return [name, address.line1, address.line2, place, address.country, vatNumber]
    .filter(Boolean)
    .join(' · ')
}

/**
 * A mail in the brand of its tenant, as text and as HTML, for administrators: without the unsubscribe
 * link, which is only for the recipient.
 */
export async function letterOf(context: Reading, mail: MailRow) {
  return letterIn(mail, { ...(await surroundingsOf(context, mail)), stop: null })
}

type Surroundings = { brand: ShownBrand; legal: string; origin: string; stop: string | null }
type Kept = Pick<MailRow, 'kind' | 'subject' | 'locale' | 'body' | 'content'>

/** A mail as text and HTML, with the brand and footer of its shop. */
export function letterIn(mail: Kept, { brand, legal, origin, stop }: Surroundings) {
  const { kind, subject, locale, body } = mail
  const texts = pageTexts(locale)
  const why = texts.why[reasonOf(kind)](brand.name)
  return branded(
    {
      ...{ subject, locale, content: mail.content ?? contentOfText(body) },
      footer: { legal, why, stop: stop ? { label: texts.stopMails, url: stop } : null },
      orOpen: isSecretLink(kind) ? texts.orOpen : null,
      isLinked: kind === 'announcement' || kind === 'staff_message',
    },
    { brand, origin },
  )
}

const REASONS: Readonly<Record<string, MailReason>> = {
  admin_attention: 'staff',
  mail_test: 'staff',
  verify_email: 'address',
  service_invitation: 'invitation',
} satisfies { [K in Kind | MailKind]?: MailReason }

function reasonOf(kind: string): MailReason {
  return REASONS[kind] ?? 'account'
}

/** The content of a mail; the button of a payment request opens the payment page. */
function paidByLink({ secrets }: Context, mail: MailRow, origin: string): MailContent {
  const content = mail.content ?? contentOfText(mail.body)
  const { action } = content
  const url = action && payUrlFor(secrets, { kind: mail.kind, to: action.to }, origin)
  return action && url ? { ...content, action: { ...action, to: url } } : content
}

/** A mail in the form the mail library takes. Its id is the same at every try. */
export async function envelopeFor(context: Context, mail: MailRow): Promise<SendMailOptions> {
  const surroundings = await surroundingsOf(context, mail)
  const { brand, legal, origin } = surroundings
  const { hostname } = new URL(origin)
  const { tenantId, userId, id, kind, edition } = mail
  const stops = userId !== null && isOptionalMail(kind)
  const stop = stops ? stopUrl(context.secrets, { origin, tenantId, userId, kind }) : null
  return {
    from: senderOf(surroundings),
    ...(brand.supportAddress && { replyTo: { name: '', address: oneLine(brand.supportAddress) } }),
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    ...letterIn(
      { ...mail, content: paidByLink(context, mail, origin) },
      { brand, legal, origin, stop },
    ),
    messageId: `<${edition === 0 ? id : `${id}.${edition}`}@${hostname}>`,
    ...(stop && {
      headers: {
        // RFC 8058: a mail program unsubscribes with one click, without opening a page.
        'List-Unsubscribe': { prepared: true, value: `<${stop}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
  }
}

function senderOf({ brand, seller, origin }: Awaited<ReturnType<typeof surroundingsOf>>) {
  return {
    name: oneLine(brand.senderName ?? brand.name),
    address: brand.senderAddress ?? seller.email ?? `no-reply@${new URL(origin).hostname}`,
  }
}

type Test = {
  tenantId: string
  user: { readonly email: string; readonly name: string }
  letter: {
    readonly kind: string
    readonly locale: string
    readonly message: Message
    readonly link: string | null
  }
}

/** A test mail of a tenant to a member of its staff: like its other mails, but not stored. */
export async function testEnvelope(
  context: Reading,
  { tenantId, user: { email, name }, letter: { kind, locale, message, link } }: Test,
): Promise<SendMailOptions> {
  const surroundings = await surroundingsOf(context, { tenantId })
  const content = contentOf({ message, locale, name, link })
  const mail = { kind, locale, subject: oneLine(message.title), body: textOf(content), content }
  return {
    from: senderOf(surroundings),
    to: { name: '', address: email },
    subject: mail.subject,
    ...letterIn(mail, { ...surroundings, stop: null }),
  }
}
