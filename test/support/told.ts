import { SAMPLES } from '../../src/areas/notifications/mails/templates/samples.ts'
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

const {
  verify_email: [verifyEmail],
  reset_password: [resetPassword],
  account_created: [accountCreated],
  service_invitation: [serviceInvitation],
  email_change_requested: [emailChangeRequested],
  email_changed: [emailChanged],
  ...notices
} = SAMPLES

/** Facts of every kind, with values that can be found in the texts. */
const MONEY = { amountCents: 1234, currency: 'EUR' }
export const FACTS: { [K in Kind]: readonly Facts[K][] } = {
  ...notices,
  payment_failed: [
    ...PAYMENT_FAILURES.map((why) => ({ ...MONEY, number: 'INV-2030-00042', why })),
    { ...MONEY, number: null, why: 'declined' },
  ],
  credit_added: CREDIT_REASONS.map((why) => ({ ...MONEY, why })),
  upgrade_waiting: (
    ['no_capacity', 'disk_in_use', 'ports_in_use', 'databases_in_use', 'backups_in_use'] as const
  ).map((misfit) => ({
    name: 'Survival Island',
    product: 'Minecraft L',
    misfit,
    until: '2030-01-02',
  })),
  admin_attention: attentions(),
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
export const MAIL_FACTS: { [K in MailKind]: MailFacts[K] } = {
  verify_email: verifyEmail,
  reset_password: resetPassword,
  account_created: accountCreated,
  service_invitation: serviceInvitation,
  email_change_requested: emailChangeRequested,
  email_changed: emailChanged,
  mail_test: {},
  more_attention: { times: 5 },
  staff_message: {
    subject: 'Your question about Lyon',
    text: 'We moved your server.\n\nhttps://shop.example/news has the details.',
  },
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
    mail_text_not_used: [
      { subject: 'Your server {{service}}', language: 'English', placeholder: 'address' },
    ],
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
