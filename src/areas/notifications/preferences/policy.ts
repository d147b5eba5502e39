import type { Kind } from '../texts/kinds.ts'

export const CHANNELS = ['inApp', 'email', 'discord'] as const

/** Where somebody is told: in the product, by mail, by the shop's bot on Discord. */
export type Channel = (typeof CHANNELS)[number]

/** Whether a kind is told on a channel: on or off until its person says otherwise, or settled. */
export type Choice = 'on' | 'off' | 'always' | 'never'

export type Policy = Readonly<Record<Channel, Choice>>

/**
 * What a person has to learn to keep their rights or their account: invoices, dunning, an end, another
 * price, how they sign in. Nobody can switch it off (docs/notifications.md says why, kind by kind).
 */
const BINDING: Policy = { inApp: 'always', email: 'always', discord: 'never' }
/** The same of a service: Discord may carry it too, for it names no amount. */
const BINDING_OF_SERVICE: Policy = { ...BINDING, discord: 'on' }
const SERVICE: Policy = { inApp: 'on', email: 'on', discord: 'on' }
const SERVICE_IN_APP: Policy = { ...SERVICE, email: 'off' }
/** Money is never told on Discord, where others may read along. */
const MONEY: Policy = { inApp: 'on', email: 'on', discord: 'never' }
const MONEY_IN_APP: Policy = { ...MONEY, email: 'off' }

/** How every kind is told. */
export const POLICIES: Readonly<Record<Kind, Policy>> = {
  invoice_sent: BINDING,
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
  // Its link opens something by itself: it stays between those two.
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
  mail_undeliverable: { inApp: 'always', email: 'never', discord: 'never' },
  announcement: SERVICE,
}

/**
 * What a customer causes with requests alone, as often as they like. Their address may be somebody else's as
 * long as it is not confirmed, so these are mailed to it a few times a day (`limits.unconfirmedNotices`).
 */
export const AT_WILL: ReadonlySet<Kind> = new Set<Kind>([
  ...(['payment_failed', 'payment_action_required'] as const),
  ...(['service_reinstalled', 'service_reinstall_failed', 'server_crashed'] as const),
  ...(['password_changed', 'session_stolen', 'application_stolen'] as const),
  ...(['account_connected', 'account_disconnected', 'vat_number_invalid'] as const),
])

export const KINDS = Object.keys(POLICIES) as Kind[]

/** What only those are told who work for the shop. */
export const STAFF_KINDS: ReadonlySet<Kind> = new Set<Kind>(['admin_attention'])

/** Whether a text is one of our kinds of notification. */
export function isKind(text: string): text is Kind {
  return Object.hasOwn(POLICIES, text)
}
