import type { Kind } from '../texts/kinds.ts'

export const CHANNELS = ['inApp', 'email', 'discord'] as const

/** Where a person is notified: in the product, by mail, by the shop's bot on Discord. */
export type Channel = (typeof CHANNELS)[number]

/** Whether a kind is sent on a channel: a default the person can change (on, off), or fixed. */
export type Choice = 'on' | 'off' | 'always' | 'never'

export type Policy = Readonly<Record<Channel, Choice>>

/**
 * What a person must learn to keep their rights or their account: invoices, dunning, terminations, changed
 * prices, how they sign in. Nobody can switch it off (docs/notifications.md gives the reason for each kind).
 */
const BINDING: Policy = { inApp: 'always', email: 'always', discord: 'never' }
/** Likewise about a service: also allowed on Discord, because it names no amount. */
const BINDING_OF_SERVICE: Policy = { ...BINDING, discord: 'on' }
const SERVICE: Policy = { inApp: 'on', email: 'on', discord: 'on' }
const SERVICE_IN_APP: Policy = { ...SERVICE, email: 'off' }
/** Money is never mentioned on Discord, where others may read along. */
const MONEY: Policy = { inApp: 'on', email: 'on', discord: 'never' }
const MONEY_IN_APP: Policy = { ...MONEY, email: 'off' }
/** Work of staff: never on Discord, where customers may read along. */
const STAFF: Policy = { inApp: 'on', email: 'on', discord: 'never' }

/** The policy of every kind. */
export const POLICIES: Readonly<Record<Kind, Policy>> = {
  invoice_sent: BINDING,
  order_placed: BINDING,
  invoice_paid: BINDING,
  payment_failed: BINDING,
  payment_action_required: BINDING,
  refund_made: BINDING,
  credit_added: MONEY,
  out_of_stock_credit: BINDING,
  renewal_invoice: BINDING,
  payment_reminder: BINDING,
  price_change: BINDING,
  upgrade_failed: BINDING_OF_SERVICE,
  upgrade_waiting: BINDING_OF_SERVICE,
  service_active: SERVICE,
  service_failed: SERVICE,
  delivery_begun: SERVICE,
  service_reinstalled: SERVICE_IN_APP,
  service_reinstall_failed: SERVICE,
  server_crashed: SERVICE,
  service_suspended: BINDING_OF_SERVICE,
  service_reactivated: SERVICE,
  service_ended: BINDING_OF_SERVICE,
  service_ending: BINDING_OF_SERVICE,
  service_upgraded: SERVICE_IN_APP,
  free_days: SERVICE,
  // Its link gives access by itself: it must stay private.
  invitation: { ...SERVICE_IN_APP, discord: 'never' },
  commission_earned: MONEY_IN_APP,
  commission_available: MONEY,
  commission_reversed: MONEY,
  commission_restored: MONEY_IN_APP,
  impersonated: BINDING,
  admin_attention: MONEY,
  password_changed: BINDING,
  registration_attempted: BINDING,
  session_stolen: BINDING,
  application_stolen: BINDING,
  second_factor_added: BINDING,
  second_factor_removed: BINDING,
  recovery_codes_made: BINDING,
  recovery_code_used: BINDING,
  passkey_copied: BINDING,
  account_connected: BINDING,
  account_disconnected: BINDING,
  vat_number_invalid: BINDING,
  ticket_opened: SERVICE,
  ticket_answered: SERVICE,
  ticket_closed: SERVICE,
  ticket_closing: SERVICE,
  ticket_new: STAFF,
  ticket_assigned: STAFF,
  ticket_customer_replied: STAFF,
  incident_opened: SERVICE,
  incident_updated: SERVICE,
  incident_resolved: SERVICE,
  maintenance_planned: SERVICE,
  maintenance_changed: SERVICE,
  mail_undeliverable: { inApp: 'always', email: 'never', discord: 'never' },
  announcement: SERVICE,
}

/**
 * Kinds that a customer can trigger with requests alone, as often as they like. Until their address is confirmed
 * it may be another person's, so these are mailed to it only a few times a day (`limits.unconfirmedNotices`).
 */
export const AT_WILL: ReadonlySet<Kind> = new Set<Kind>([
  ...(['payment_failed', 'payment_action_required'] as const),
  ...(['service_reinstalled', 'service_reinstall_failed', 'server_crashed'] as const),
  ...(['password_changed', 'session_stolen', 'application_stolen'] as const),
  ...(['account_connected', 'account_disconnected', 'vat_number_invalid'] as const),
])

export const KINDS = Object.keys(POLICIES) as Kind[]

/** Kinds that only the shop's staff get. */
export const STAFF_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  ...(['admin_attention', 'ticket_new', 'ticket_assigned'] as const),
  'ticket_customer_replied',
])

/** Whether a text is one of our kinds of notification. */
export function isKind(text: string): text is Kind {
  return Object.hasOwn(POLICIES, text)
}
