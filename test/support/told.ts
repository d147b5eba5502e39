import {
  type AttentionAbout,
  type AttentionFacts,
  MONEY_TOPICS,
} from '../../src/areas/notifications/texts/attention.ts'
import {
  CREDIT_REASONS,
  type Facts,
  type Kind,
  type MailFacts,
  type MailKind,
  PAYMENT_FAILURES,
} from '../../src/areas/notifications/texts/kinds.ts'

/** Facts of every kind, with values that can be found in the texts. */
const MONEY = { amountCents: 1234, currency: 'EUR' }
export const FACTS: { [K in Kind]: readonly Facts[K][] } = {
  invoice_sent: [
    { ...MONEY, number: 'INV-2030-00042', dueCents: 1234, dueOn: '2030-01-02' },
    { ...MONEY, number: 'INV-2030-00042', dueCents: 1234, dueOn: null },
    { ...MONEY, number: 'INV-2030-00042', dueCents: 0, dueOn: null },
  ],
  invoice_paid: [{ ...MONEY, number: 'INV-2030-00042' }],
  payment_failed: [
    ...PAYMENT_FAILURES.map((why) => ({ ...MONEY, number: 'INV-2030-00042', why })),
    { ...MONEY, number: null, why: 'declined' },
  ],
  payment_action_required: [
    { ...MONEY, number: 'INV-2030-00042' },
    { ...MONEY, number: null },
  ],
  refund_made: [
    { ...MONEY, number: 'INV-2030-00042', toCredit: true },
    { ...MONEY, number: 'INV-2030-00042', toCredit: false },
  ],
  credit_added: CREDIT_REASONS.map((why) => ({ ...MONEY, why })),
  out_of_stock_credit: [MONEY],
  service_active: [
    { name: 'Survival Island', address: 'play.example.org:25565' },
    { name: 'Survival Island', address: null },
  ],
  service_failed: [
    { name: 'Survival Island' },
    { name: 'Priority support', delivery: 'manual' as const },
    { name: 'Web space', delivery: 'webhook' as const },
  ],
  delivery_begun: [{ name: 'Priority support', dueOn: '2026-05-04' }],
  service_reinstalled: [{ name: 'Survival Island' }],
  service_reinstall_failed: [{ name: 'Survival Island' }],
  server_crashed: [{ name: 'Survival Island' }],
  service_suspended: [
    { name: 'Survival Island', unpaid: true },
    { name: 'Survival Island', unpaid: false },
  ],
  service_reactivated: [{ name: 'Survival Island' }],
  service_ended: [
    { name: 'Survival Island', deleteOn: '2030-01-02' },
    { name: 'Survival Island', deleteOn: null },
  ],
  service_ending: [{ name: 'Survival Island', endsOn: '2030-01-02' }],
  renewal_invoice: [
    {
      ...MONEY,
      name: 'Survival Island',
      number: 'INV-2030-00042',
      dueOn: '2030-01-02',
      startsOn: '2030-01-09',
      endsOn: '2030-02-08',
    },
  ],
  payment_reminder: [
    {
      ...MONEY,
      name: 'Survival Island',
      number: 'INV-2030-00042',
      dueOn: '2030-01-02',
      next: 'end',
      on: '2030-01-03',
    },
    {
      ...{ ...MONEY, name: 'Survival Island', number: 'INV-2030-00042', dueOn: '2030-01-02' },
      ...{ next: 'suspension', on: '2030-01-03' },
    },
    {
      ...{ ...MONEY, name: 'Survival Island', number: 'INV-2030-00042', dueOn: '2030-01-02' },
      ...{ next: 'nothing', on: '2030-01-02' },
    },
  ],
  price_change: [{ ...MONEY, name: 'Survival Island', effectiveFrom: '2030-01-02' }],
  service_upgraded: [{ name: 'Survival Island', product: 'Minecraft L' }],
  free_days: [1, 3].map((days) => ({
    ...{ name: 'Survival Island', days, until: '2030-01-02' },
    reason: 'The node was not reachable on Sunday.',
  })),
  upgrade_failed: [true, false].map((isPaidBack) => ({
    name: 'Survival Island',
    product: 'Minecraft L',
    isPaidBack,
  })),
  upgrade_waiting: (
    ['no_capacity', 'disk_in_use', 'ports_in_use', 'databases_in_use', 'backups_in_use'] as const
  ).map((misfit) => ({
    name: 'Survival Island',
    product: 'Minecraft L',
    misfit,
    until: '2030-01-02',
  })),
  invitation: [{ inviter: 'Grace', service: 'Survival Island' }],
  commission_earned: [MONEY],
  commission_available: [MONEY],
  commission_reversed: [MONEY],
  commission_restored: [MONEY],
  impersonated: [{}],
  admin_attention: attentions(),
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
  ticket_answered: [{ number: 'T-7K3M9QXA' }],
  ticket_closed: [{ number: 'T-7K3M9QXA' }],
  ticket_new: [{ number: 'T-7K3M9QXA' }],
  ticket_assigned: [{ number: 'T-7K3M9QXA' }],
  ticket_customer_replied: [{ number: 'T-7K3M9QXA' }],
  incident_opened: [{ title: 'Network failure in Lyon', text: 'We are looking for the cause.' }],
  incident_updated: [{ title: 'Network failure in Lyon', text: 'We are looking for the cause.' }],
  incident_resolved: [{ title: 'Network failure in Lyon', text: 'We are looking for the cause.' }],
  maintenance_planned: [
    {
      ...{ title: 'New switches', text: 'Servers restart once.' },
      ...{ startsAt: '2026-11-28T22:00:00.000Z', endsAt: '2026-11-28T23:30:00.000Z' },
    },
  ],
  maintenance_changed: (['changed', 'canceled', 'completed'] as const).map((step) => ({
    ...{ title: 'New switches', text: 'Servers restart once.' },
    ...{ startsAt: '2026-11-28T22:00:00.000Z', endsAt: '2026-11-28T23:30:00.000Z' },
    step,
  })),
  mail_undeliverable: [{ address: 'old@example.org' }],
  announcement: [
    {
      title: 'New machines in Lyon',
      body: 'We moved to faster machines.\n\nhttps://shop.example/news has the details.',
    },
  ],
}
const url = 'https://shop.example/x?token=T-1'
export const MAIL_FACTS: { [K in MailKind]: MailFacts[K] } = {
  verify_email: { url },
  reset_password: { url },
  service_invitation: { inviter: 'Grace', service: 'Survival Island', url },
  email_change_requested: { newEmail: 'new@example.org' },
  email_changed: { newEmail: 'new@example.org' },
  mail_test: {},
  more_attention: { times: 5 },
}

/** One example of every notification of administrators. */
function attentions(): AttentionAbout[] {
  const failure = { code: 'panel_unreachable', detail: 'Connection refused.' }
  const gone = { code: 'server_gone', detail: 'Not said.' }
  const service: { [T in keyof AttentionFacts]?: readonly AttentionFacts[T][] } = {
    renewal_failed: [0, 1, 2].map((others) => ({ name: 'Survival Island', others, ...failure })),
    reinstall_failed: [{ name: 'Survival Island' }],
    upgrade_failed: [{ name: 'Survival Island', ...gone }],
    delivery_failed: [
      ...(['create', 'change', 'suspend', 'resume', 'end'] as const).map((action) => {
        return { name: 'Web space', action, code: 'refused' as const, detail: 'No space left.' }
      }),
      { name: 'Web space', action: 'end', code: 'unanswered', detail: 'timeout' },
      { name: 'Web space', action: 'create', code: 'unconfirmed', detail: 'delivery.example.org' },
    ],
    service_stuck: (['active', 'suspended', 'ended', 'deleted'] as const).map((goal) => {
      return { name: 'Survival Island', goal, ...failure }
    }),
    setup_failed: [{ name: 'Survival Island', ...failure }],
    setup_waits: [{ name: 'Survival Island', ...gone }],
    vat_number_refused: [{ email: 'ada@example.org', vatNumber: 'FR12345678901' }],
    eggs_changed: [
      { eggs: ['Paper'], products: [{ name: 'Minecraft L', faults: '' }] },
      { eggs: ['Paper'], products: [{ name: 'Minecraft L', faults: 'The egg has no image.' }] },
    ],
    product_not_sold: [
      { name: 'Minecraft L', faults: ['The egg has no image.', 'The egg needs MAX_PLAYERS.'] },
    ],
    endpoint_disabled: [
      { host: 'hooks.example.org', reason: 'gone' },
      { host: 'hooks.example.org', reason: 'failing' },
    ],
    mail_server_failing: [{ host: 'smtp.example.org', answer: 'Invalid login' }],
    warning_refused: [
      { name: 'Survival Island', step: 'end', on: '2030-01-02' },
      { name: 'Survival Island', step: 'suspension', on: '2030-01-02' },
    ],
    failed_not_refunded: [{ count: 1 }, { count: 12 }],
    import_reconciled: [
      { file: 'whmcs.sql.gz', days: 7, customers: 42, unexplained: 0 },
      { file: 'whmcs.sql.gz', days: 30, customers: 42, unexplained: 3 },
    ],
  }
  const details = { ...MONEY, name: 'Card payments', unheardOf: 'pi_42', gatewayId: null }
  const money = Object.fromEntries(MONEY_TOPICS.map((topic) => [topic, [details]]))
  return Object.entries({ ...service, ...money }).flatMap(([topic, all]) =>
    all.map((facts) => ({ topic, facts }) as AttentionAbout),
  )
}
