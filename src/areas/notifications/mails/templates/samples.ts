import type { AllFacts, TemplateKind } from './kinds.ts'

const MONEY = { amountCents: 1234, currency: 'EUR' }
const number = 'INV-2030-00042'
const name = 'Survival Island'
const reminder = { ...MONEY, name, number, dueOn: '2030-01-02' }
const url = 'https://shop.example/x?token=T-1'

/** Examples of the facts of each kind of mail, the most usual one first: for previews and test mails. */
export const SAMPLES: {
  readonly [K in TemplateKind]: readonly [AllFacts[K], ...AllFacts[K][]]
} = {
  invoice_sent: [
    { ...MONEY, number, dueCents: 1234, dueOn: '2030-01-02' },
    { ...MONEY, number, dueCents: 1234, dueOn: null },
    { ...MONEY, number, dueCents: 0, dueOn: null },
  ],
  order_placed: [
    { ...MONEY, number: 'ORD-1001', dueOn: '2030-01-02' },
    { ...MONEY, number: 'ORD-1001', dueOn: null },
  ],
  invoice_paid: [{ ...MONEY, number }],
  payment_failed: [
    { ...MONEY, number, why: 'declined' },
    { ...MONEY, number, why: 'expired_card' },
    { ...MONEY, number: null, why: 'declined' },
  ],
  payment_action_required: [
    { ...MONEY, number },
    { ...MONEY, number: null },
  ],
  refund_made: [
    { ...MONEY, number, toCredit: false },
    { ...MONEY, number, toCredit: true },
  ],
  credit_added: [
    { ...MONEY, why: 'goodwill' },
    { ...MONEY, why: 'overpaid' },
  ],
  out_of_stock_credit: [MONEY],
  service_active: [
    { name, address: 'play.example.org:25565' },
    { name, address: null },
  ],
  service_failed: [
    { name },
    { name: 'Priority support', delivery: 'manual' },
    { name: 'Web space', delivery: 'webhook' },
  ],
  delivery_begun: [{ name: 'Priority support', dueOn: '2026-05-04' }],
  service_reinstalled: [{ name }],
  service_reinstall_failed: [{ name }],
  server_crashed: [{ name }],
  service_suspended: [
    { name, unpaid: true },
    { name, unpaid: false },
  ],
  service_reactivated: [{ name }],
  service_ended: [
    { name, deleteOn: '2030-01-02' },
    { name, deleteOn: null },
  ],
  service_ending: [{ name, endsOn: '2030-01-02' }],
  renewal_invoice: [{ ...reminder, startsOn: '2030-01-09', endsOn: '2030-02-08' }],
  payment_reminder: [
    { ...reminder, next: 'suspension', on: '2030-01-03' },
    { ...reminder, next: 'end', on: '2030-01-03' },
    { ...reminder, next: 'nothing', on: '2030-01-02' },
  ],
  price_change: [{ ...MONEY, name, effectiveFrom: '2030-01-02' }],
  service_upgraded: [{ name, product: 'Minecraft L' }],
  free_days: [
    { name, days: 3, until: '2030-01-02', reason: 'The node was not reachable on Sunday.' },
    { name, days: 1, until: '2030-01-02', reason: 'The node was not reachable on Sunday.' },
  ],
  upgrade_failed: [
    { name, product: 'Minecraft L', isPaidBack: true },
    { name, product: 'Minecraft L', isPaidBack: false },
  ],
  upgrade_waiting: [
    { name, product: 'Minecraft L', misfit: 'disk_in_use', until: '2030-01-02' },
    { name, product: 'Minecraft L', misfit: 'no_capacity', until: '2030-01-02' },
  ],
  invitation: [{ inviter: 'Grace', service: name }],
  commission_earned: [MONEY],
  commission_available: [MONEY],
  commission_reversed: [MONEY],
  commission_restored: [MONEY],
  impersonated: [{}],
  password_changed: [{}],
  registration_attempted: [{}],
  session_stolen: [{}],
  application_stolen: [{ application: 'Minecraft L' }],
  second_factor_added: [{ factor: 'totp' }, { factor: 'passkey' }],
  second_factor_removed: [{ factor: 'totp' }, { factor: 'passkey' }],
  recovery_codes_made: [{}],
  recovery_code_used: [{ left: 7 }],
  passkey_copied: [{ name: 'Blue key' }],
  account_connected: [{ provider: 'discord', name: 'ada_l' }],
  account_disconnected: [{ provider: 'discord', name: 'ada_l' }],
  vat_number_invalid: [{ vatNumber: 'FR12345678901' }],
  ticket_opened: [{ number: 'T-7K3M9QXA' }],
  ticket_answered: [{ number: 'T-7K3M9QXA', files: 2 }],
  ticket_closed: [{ number: 'T-7K3M9QXA' }],
  ticket_closing: [{ number: 'T-7K3M9QXA', closesOn: '2026-03-14' }],
  verify_email: [{ url }],
  reset_password: [{ url }],
  account_created: [{ url }],
  service_invitation: [{ inviter: 'Grace', service: name, url }],
  email_change_requested: [{ newEmail: 'new@example.org' }],
  email_changed: [{ newEmail: 'new@example.org' }],
}
