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
  service_suspended: { name: string }
  service_ended: { name: string }
  service_upgraded: { name: string; product: string }
  upgrade_failed: { name: string; product: string }
  invitation: { inviter: string; service: string }
  admin_attention: { subject: string; detail: string }
}

/** What only goes out by mail: it holds a link that proves who opens it. */
export type MailFacts = {
  verify_email: { url: string }
  reset_password: { url: string }
  service_invitation: { inviter: string; service: string; url: string }
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
  'service_suspended',
  'service_ended',
  'upgrade_failed',
])
