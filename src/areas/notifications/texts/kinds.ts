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
  invoice_paid: { number: string; amountCents: number; currency: string }
  payment_failed: { number: string | null; amountCents: number; currency: string; reason: string }
  payment_action_required: { number: string | null; amountCents: number; currency: string }
  refund_made: { number: string; amountCents: number; currency: string; toCredit: boolean }
  credit_added: { amountCents: number; currency: string; reason: string }
  out_of_stock_credit: { amountCents: number; currency: string }
  service_active: { name: string; address: string | null }
  service_failed: { name: string }
  service_reinstalled: { name: string }
  service_reinstall_failed: { name: string }
  service_suspended: { name: string; unpaid: boolean }
  service_reactivated: { name: string }
  /** `deleteOn` is the day its data is deleted; null when it is gone already. */
  service_ended: { name: string; deleteOn: string | null }
  service_ending: { name: string; endsOn: string }
  renewal_invoice: {
    name: string
    number: string
    amountCents: number
    currency: string
    dueOn: string
  }
  /** `next` is what happens on that day, at the earliest, if nobody pays. */
  payment_reminder: {
    name: string
    number: string
    amountCents: number
    currency: string
    dueOn: string
    next: 'suspension' | 'end'
    on: string
  }
  price_change: { name: string; amountCents: number; currency: string; effectiveFrom: string }
  service_upgraded: { name: string; product: string }
  upgrade_failed: { name: string; product: string }
  invitation: { inviter: string; service: string }
  commission_earned: { amountCents: number; currency: string }
  commission_available: { amountCents: number; currency: string }
  commission_reversed: { amountCents: number; currency: string }
  commission_restored: { amountCents: number; currency: string }
  impersonated: Record<never, never>
  admin_attention: { subject: string; detail: string }
  password_changed: Record<string, never>
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
}

type Factor = 'totp' | 'passkey'

/** What only goes out by mail: it holds a link that proves who opens it. */
export type MailFacts = {
  verify_email: { url: string }
  reset_password: { url: string }
  service_invitation: { inviter: string; service: string; url: string }
  email_change_requested: { newEmail: string }
  email_changed: { newEmail: string }
}

export type Kind = keyof Facts
export type MailKind = keyof MailFacts

/** The kinds whose text holds such a link. */
export const LINK_KINDS = [
  'verify_email',
  'reset_password',
  'service_invitation',
] as const satisfies readonly MailKind[]

/** What a notification says: one line, and a sentence or two. */
export type Message = { title: string; body: string }

/** One language: every text a person reads, in one place. */
export type Texts = {
  notices: { [K in Kind]: (facts: Facts[K]) => Message }
  mails: { [K in MailKind]: (facts: MailFacts[K]) => Message }
  greeting: (name: string | null) => string
}

/** The kinds that are worth a mail beside the notification. */
export const MAILED: ReadonlySet<Kind> = new Set([
  'invoice_sent',
  'invoice_paid',
  'payment_failed',
  'payment_action_required',
  'refund_made',
  'credit_added',
  'out_of_stock_credit',
  'service_active',
  'service_failed',
  'service_reinstall_failed',
  'service_suspended',
  'service_reactivated',
  'service_ended',
  'service_ending',
  'renewal_invoice',
  'payment_reminder',
  'price_change',
  'upgrade_failed',
  'commission_available',
  'commission_reversed',
  'password_changed',
  'session_stolen',
  'application_stolen',
  'second_factor_added',
  'second_factor_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'passkey_copied',
  'account_connected',
  'account_disconnected',
  'vat_number_invalid',
  'impersonated',
])

const PROVIDERS: Readonly<Record<string, string>> = { discord: 'Discord' }

/** The name that people know a provider of accounts by. */
export function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider
}
