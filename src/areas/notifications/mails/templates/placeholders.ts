import { formatAmount } from '#lib/currency.ts'
import { regionOf } from '#lib/languages.ts'
import { withoutLinks } from '#lib/links.ts'
import { dayText } from '../../texts/days.ts'
import { paymentFailureText } from '../../texts/index.ts'
import {
  type Facts,
  type Kind,
  type MailFacts,
  type MailKind,
  type Message,
  providerName,
} from '../../texts/kinds.ts'
import type { AllFacts, TemplateKind, Values } from './kinds.ts'
import { SAMPLES } from './samples.ts'

/** The value of a placeholder in a language; null if the facts have none. */
type Reader<F> = (facts: F, locale: string) => string | null
type Readers<F> = Readonly<Record<string, Reader<F>>>

type Money = { amountCents: number; currency: string }

const amount = {
  amount: (it: Money, locale: string) => formatAmount(it.amountCents, it.currency, locale),
}
const invoice = { invoice: (it: { number: string | null }) => it.number }
const service = { service: (it: { name: string }) => it.name }
const plan = { ...service, plan: (it: { product: string }) => it.product }
const ticket = { ticket: (it: { number: string }) => it.number }
const account = {
  provider: (it: { provider: string }) => providerName(it.provider),
  account: (it: { name: string }) => it.name,
}
const invitation = {
  inviter: (it: { inviter: string }) => it.inviter,
  service: (it: { service: string }) => it.service,
}
const newAddress = { new_address: (it: { newEmail: string }) => it.newEmail }

/** A day as people write it; French has `1er` for the first of a month. */
function day(value: string | null, locale: string): string | null {
  if (value === null) return null
  const text = dayText(value, regionOf(locale))
  return locale === 'fr' ? text.replace(/^1 /, '1er ') : text
}

/** The placeholders of each kind of notification; null for kinds whose text a shop cannot write. */
const OF_NOTICES: { readonly [K in Kind]: Readers<Facts[K]> | null } = {
  invoice_sent: {
    ...{ ...invoice, ...amount },
    due_amount: (it, locale) => formatAmount(it.dueCents, it.currency, locale),
    due_date: (it, locale) => day(it.dueOn, locale),
  },
  order_placed: {
    ...amount,
    order_number: (it) => it.number,
    due_date: (it, locale) => day(it.dueOn, locale),
  },
  invoice_paid: { ...invoice, ...amount },
  payment_failed: {
    ...{ ...invoice, ...amount },
    reason: (it, locale) => paymentFailureText(locale, it.why),
  },
  payment_action_required: { ...invoice, ...amount },
  refund_made: { ...invoice, ...amount },
  credit_added: amount,
  // Without a payment there was no credit.
  out_of_stock_credit: {
    amount: (it, locale) => (it.amountCents > 0 ? amount.amount(it, locale) : null),
  },
  service_active: { ...service, address: (it) => it.address },
  service_failed: service,
  delivery_begun: { ...service, due_date: (it, locale) => day(it.dueOn, locale) },
  service_reinstalled: service,
  service_reinstall_failed: service,
  server_crashed: service,
  service_suspended: service,
  service_reactivated: service,
  service_ended: { ...service, deletion_date: (it, locale) => day(it.deleteOn, locale) },
  service_ending: { ...service, end_date: (it, locale) => day(it.endsOn, locale) },
  renewal_invoice: {
    ...{ ...service, ...invoice, ...amount },
    due_date: (it, locale) => day(it.dueOn, locale),
    period_start: (it, locale) => day(it.startsOn, locale),
    period_end: (it, locale) => day(it.endsOn, locale),
  },
  payment_reminder: {
    ...{ ...service, ...invoice, ...amount },
    due_date: (it, locale) => day(it.dueOn, locale),
    // Once the service has ended, nothing more happens on a day.
    deadline: (it, locale) => (it.next === 'nothing' ? null : day(it.on, locale)),
  },
  price_change: {
    ...{ ...service, ...amount },
    effective_date: (it, locale) => day(it.effectiveFrom, locale),
  },
  service_upgraded: plan,
  free_days: {
    ...service,
    days: (it) => String(it.days),
    until: (it, locale) => day(it.until, locale),
    reason: (it) => it.reason,
  },
  upgrade_failed: plan,
  upgrade_waiting: { ...plan, until: (it, locale) => day(it.until, locale) },
  invitation,
  commission_earned: amount,
  commission_available: amount,
  commission_reversed: amount,
  commission_restored: amount,
  impersonated: {},
  password_changed: {},
  registration_attempted: {},
  session_stolen: {},
  application_stolen: { application: (it) => it.application },
  second_factor_added: {},
  second_factor_removed: {},
  recovery_codes_made: {},
  recovery_code_used: { codes_left: (it) => String(it.left) },
  passkey_copied: { passkey: (it) => it.name },
  account_connected: account,
  account_disconnected: account,
  vat_number_invalid: { vat_number: (it) => it.vatNumber },
  ticket_opened: ticket,
  ticket_answered: ticket,
  ticket_closed: ticket,
  ticket_closing: { ...ticket, closes_on: (it, locale) => day(it.closesOn, locale) },
  ticket_new: null,
  ticket_assigned: null,
  ticket_customer_replied: null,
  admin_attention: null,
  announcement: null,
  incident_opened: null,
  incident_updated: null,
  incident_resolved: null,
  maintenance_planned: null,
  maintenance_changed: null,
  mail_undeliverable: null,
}

/** Likewise of each mail. Its link is no placeholder: it belongs to the button. */
const OF_MAILS: { readonly [K in MailKind]: Readers<MailFacts[K]> | null } = {
  verify_email: {},
  reset_password: {},
  account_created: {},
  service_invitation: invitation,
  email_change_requested: newAddress,
  email_changed: newAddress,
  mail_test: null,
  more_attention: null,
  staff_message: null,
}

const ALL: { readonly [K in keyof AllFacts]: Readers<AllFacts[K]> | null } = {
  ...OF_NOTICES,
  ...OF_MAILS,
}

/** The kinds of mail whose texts a shop can write itself. */
export const TEMPLATE_KINDS = Object.keys(SAMPLES) as TemplateKind[]

const STANDARD = { subject: 'standard_subject', text: 'standard_text' } as const

/** The template that is the same as the standard text. */
export const STANDARD_TEMPLATE = {
  subject: `{{${STANDARD.subject}}}`,
  text: `{{${STANDARD.text}}}`,
} as const

/** The names of the placeholders that a kind of mail has, with those that every mail has. */
export function placeholdersOf(kind: TemplateKind): readonly string[] {
  return [...Object.keys(ALL[kind] ?? {}), 'name', STANDARD.subject, STANDARD.text]
}

/**
 * The values that the facts of a notification give to the placeholders of its mail; undefined for a kind whose text a
 * shop cannot write.
 */
export function noticeValues<K extends Kind>(
  kind: K,
  facts: Facts[K],
  locale: string,
): Values | undefined {
  return valuesOf(OF_NOTICES[kind], facts, locale)
}

/** The same for a mail that is not a notification. */
export function mailValues<K extends MailKind>(
  kind: K,
  facts: MailFacts[K],
  locale: string,
): Values | undefined {
  return valuesOf(OF_MAILS[kind], facts, locale)
}

/** The same for an example of any kind of mail. */
export function exampleValues<K extends TemplateKind>(
  kind: K,
  facts: AllFacts[K],
  locale: string,
): Values | undefined {
  return valuesOf(ALL[kind], facts, locale)
}

function valuesOf<F>(readers: Readers<F> | null, facts: F, locale: string): Values | undefined {
  if (readers === null) return undefined
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [name, read(facts, locale)]),
  )
}

/** The values with those that every mail has: the name of the recipient and the standard text. */
export function allValues(values: Values, { title, body }: Message, name: string | null): Values {
  // A value must not begin a paragraph of its own.
  const flat = (text: string) => text.replace(/[\r\n]+/g, ' ')
  const lines = Object.entries(values).map(([key, value]) => [key, value && flat(value)])
  const recipient = name === null ? null : flat(withoutLinks(name)).trim() || null
  return {
    ...Object.fromEntries(lines),
    ...{ name: recipient, [STANDARD.subject]: title, [STANDARD.text]: body },
  }
}
