import type { AttentionAbout, AttentionTexts } from './attention.ts'

/** Why a server cannot become a smaller one yet. */
export type UpgradeObstacle =
  | 'no_capacity'
  | 'disk_in_use'
  | 'ports_in_use'
  | 'databases_in_use'
  | 'backups_in_use'

/** How a service is delivered; missing in notices of earlier versions, when every service had a server. */
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }

/** Everything a person can be told, and what each text is made of. Amounts are cents. */
export type Facts = {
  invoice_sent: {
    number: string
    amountCents: number
    dueCents: number
    currency: string
    /** The day it is due on, as `2026-05-04`. */
    dueOn: string | null
  }
  /** Staff placed an order for the person; `dueOn` is the day until which it waits for payment, null if it is paid. */
  order_placed: { number: string; amountCents: number; currency: string; dueOn: string | null }
  invoice_paid: { number: string; amountCents: number; currency: string }
  payment_failed: {
    number: string | null
    amountCents: number
    currency: string
    why: PaymentFailure
  }
  payment_action_required: { number: string | null; amountCents: number; currency: string }
  refund_made: { number: string; amountCents: number; currency: string; toCredit: boolean }
  credit_added: { amountCents: number; currency: string; why: CreditReason }
  out_of_stock_credit: { amountCents: number; currency: string }
  service_active: { name: string; address: string | null } & Delivered
  service_failed: { name: string } & Delivered
  /** It is paid, and staff deliver it until that day. */
  delivery_begun: { name: string; dueOn: string }
  service_reinstalled: { name: string }
  service_reinstall_failed: { name: string }
  server_crashed: { name: string }
  service_suspended: { name: string; unpaid: boolean } & Delivered
  service_reactivated: { name: string } & Delivered
  /** `deleteOn` is the day its data is deleted; null when it is gone already. */
  service_ended: { name: string; deleteOn: string | null } & Delivered
  service_ending: { name: string; endsOn: string }
  renewal_invoice: {
    name: string
    number: string
    amountCents: number
    currency: string
    dueOn: string
    /** The first and the last day of the period that it pays. */
    startsOn: string
    endsOn: string
  }
  /** `next` is what happens on that day, at the earliest, without payment; nothing once the service has ended. */
  payment_reminder: {
    name: string
    number: string
    amountCents: number
    currency: string
    dueOn: string
    next: 'suspension' | 'end' | 'nothing'
    on: string
  } & Delivered
  price_change: {
    name: string
    amountCents: number
    currency: string
    effectiveFrom: string
  } & Delivered
  service_upgraded: { name: string; product: string } & Delivered
  /** `until`: the day on which the next period begins; `reason` was written by staff. */
  free_days: { name: string; days: number; until: string; reason: string } & Delivered
  /** `isPaidBack`: money was paid for the change, and became credit. */
  upgrade_failed: { name: string; product: string; isPaidBack: boolean } & Delivered
  /** What stands in the way of a change that was planned, and how long it is waited for. */
  upgrade_waiting: { name: string; product: string; misfit: UpgradeObstacle; until: string }
  invitation: { inviter: string; service: string }
  commission_earned: { amountCents: number; currency: string }
  commission_available: { amountCents: number; currency: string }
  commission_reversed: { amountCents: number; currency: string }
  commission_restored: { amountCents: number; currency: string }
  impersonated: Record<never, never>
  admin_attention: AttentionAbout
  password_changed: Record<string, never>
  registration_attempted: Record<string, never>
  session_stolen: Record<string, never>
  application_stolen: { application: string }
  second_factor_added: { factor: Factor }
  second_factor_removed: { factor: Factor }
  recovery_codes_made: Record<string, never>
  recovery_code_used: { left: number }
  passkey_copied: { name: string }
  account_connected: { provider: string; name: string }
  account_disconnected: { provider: string; name: string }
  vat_number_invalid: { vatNumber: string }
  /** Tickets are named by number: what was written on them is read there only. */
  ticket_opened: { number: string }
  ticket_answered: { number: string; files?: number }
  ticket_closed: { number: string }
  ticket_closing: { number: string; closesOn: string }
  ticket_new: { number: string }
  ticket_assigned: { number: string }
  ticket_customer_replied: { number: string; files?: number }
  /** Title and text are the words of staff, in the best language for the reader. */
  incident_opened: { title: string; text: string }
  incident_updated: { title: string; text: string }
  incident_resolved: { title: string; text: string }
  maintenance_planned: { title: string; text: string; startsAt: string; endsAt: string }
  maintenance_changed: {
    title: string
    text: string
    startsAt: string
    endsAt: string
    step: 'changed' | 'canceled' | 'completed'
  }
  /** The mail server said that there is no such address. */
  mail_undeliverable: { address: string }
  /** What the shop tells many of its people, in its own words. */
  announcement: { title: string; body: string }
}

type Factor = 'totp' | 'passkey'

/** Why a payment failed, as far as its customer may know. */
export const PAYMENT_FAILURES = [
  'amount_not_allowed',
  'authentication_required',
  'card_not_supported',
  'declined',
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'insufficient_funds',
  'method_gone',
  'provider_error',
  'try_again_later',
] as const
export type PaymentFailure = (typeof PAYMENT_FAILURES)[number]

/** Why somebody has more credit than before. */
export const CREDIT_REASONS = ['overpaid', 'late_payment', 'refund_failed', 'goodwill'] as const
export type CreditReason = (typeof CREDIT_REASONS)[number]

/** What only goes out by mail: it holds a link that proves who opens it. */
export type MailFacts = {
  verify_email: { url: string }
  reset_password: { url: string }
  /** Staff created an account for the person. */
  account_created: { url: string }
  service_invitation: { inviter: string; service: string; url: string }
  email_change_requested: { newEmail: string }
  email_changed: { newEmail: string }
  /** Asked for by staff, to see whether mails are sent. */
  mail_test: Record<string, never>
  /** The words of staff to one person. */
  staff_message: { subject: string; text: string }
  /** More needs the attention of staff than is mailed one by one. */
  more_attention: { times: number }
}

export type Kind = keyof Facts
export type MailKind = keyof MailFacts

/** The kinds whose text holds such a link. */
export const LINK_KINDS = [
  'verify_email',
  'reset_password',
  'account_created',
  'service_invitation',
] as const satisfies readonly MailKind[]

/** A label and its value, as a mail lists them. */
export type Fact = readonly [label: string, value: string]

/** What a notification says: one line, and a sentence or two. */
export type Message = {
  title: string
  body: string
  /** Amounts, days and periods that a mail lists in a table below its text: labels and values. */
  rows?: readonly Fact[]
  /** The body only lists the rows, so a mail shows only the table. */
  isListed?: true
  /** The label of the button of a mail. The button leads to the link of the notification. */
  action?: string
  /** The text below the button of a mail. */
  after?: string
}

/** One language: every text a person reads, in one place. */
export type Texts = {
  notices: { [K in Kind]: (facts: Facts[K]) => Message }
  mails: { [K in MailKind]: (facts: MailFacts[K]) => Message }
  paymentFailures: Readonly<Record<PaymentFailure, string>>
  attention: AttentionTexts
  greeting: (name: string | null) => string
}

const PROVIDERS: Readonly<Record<string, string>> = { discord: 'Discord' }

/** The name that people know a provider of accounts by. */
export function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider
}
