import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KINDS } from '../preferences/policy.ts'
import { type AttentionAbout, type AttentionFacts, MONEY_TOPICS } from './attention.ts'
import { LANGUAGES } from './index.ts'
import {
  CREDIT_REASONS,
  type Facts,
  type Kind,
  type MailFacts,
  type MailKind,
  type Message,
  PAYMENT_FAILURES,
} from './kinds.ts'

/** One fact of everything, each with a value that is found again in what is said. */
const MONEY = { amountCents: 1234, currency: 'EUR' }
const FACTS: { [K in Kind]: readonly Facts[K][] } = {
  invoice_sent: [
    { ...MONEY, number: 'N-1', dueCents: 1234, dueOn: '2030-01-02' },
    { ...MONEY, number: 'N-1', dueCents: 1234, dueOn: null },
    { ...MONEY, number: 'N-1', dueCents: 0, dueOn: null },
  ],
  invoice_paid: [{ ...MONEY, number: 'N-1' }],
  payment_failed: [
    ...PAYMENT_FAILURES.map((why) => ({ ...MONEY, number: 'N-1', why })),
    { ...MONEY, number: null, why: 'declined' },
  ],
  payment_action_required: [
    { ...MONEY, number: 'N-1' },
    { ...MONEY, number: null },
  ],
  refund_made: [
    { ...MONEY, number: 'N-1', toCredit: true },
    { ...MONEY, number: 'N-1', toCredit: false },
  ],
  credit_added: CREDIT_REASONS.map((why) => ({ ...MONEY, why })),
  out_of_stock_credit: [MONEY],
  service_active: [
    { name: 'S-1', address: 'A-1' },
    { name: 'S-1', address: null },
  ],
  service_failed: [{ name: 'S-1' }],
  service_reinstalled: [{ name: 'S-1' }],
  service_reinstall_failed: [{ name: 'S-1' }],
  server_crashed: [{ name: 'S-1' }],
  service_suspended: [
    { name: 'S-1', unpaid: true },
    { name: 'S-1', unpaid: false },
  ],
  service_reactivated: [{ name: 'S-1' }],
  service_ended: [
    { name: 'S-1', deleteOn: '2030-01-02' },
    { name: 'S-1', deleteOn: null },
  ],
  service_ending: [{ name: 'S-1', endsOn: '2030-01-02' }],
  renewal_invoice: [{ ...MONEY, name: 'S-1', number: 'N-1', dueOn: '2030-01-02' }],
  payment_reminder: [
    { ...MONEY, name: 'S-1', number: 'N-1', dueOn: '2030-01-02', next: 'end', on: '2030-01-03' },
    {
      ...{ ...MONEY, name: 'S-1', number: 'N-1', dueOn: '2030-01-02' },
      ...{ next: 'suspension', on: '2030-01-03' },
    },
    {
      ...{ ...MONEY, name: 'S-1', number: 'N-1', dueOn: '2030-01-02' },
      ...{ next: 'nothing', on: '2030-01-02' },
    },
  ],
  price_change: [{ ...MONEY, name: 'S-1', effectiveFrom: '2030-01-02' }],
  service_upgraded: [{ name: 'S-1', product: 'P-1' }],
  upgrade_failed: [true, false].map((isPaidBack) => ({ name: 'S-1', product: 'P-1', isPaidBack })),
  upgrade_waiting: (
    ['no_capacity', 'disk_in_use', 'ports_in_use', 'databases_in_use', 'backups_in_use'] as const
  ).map((misfit) => ({ name: 'S-1', product: 'P-1', misfit, until: '2030-01-02' })),
  invitation: [{ inviter: 'I-1', service: 'S-1' }],
  commission_earned: [MONEY],
  commission_available: [MONEY],
  commission_reversed: [MONEY],
  commission_restored: [MONEY],
  impersonated: [{}],
  admin_attention: attentions(),
  password_changed: [{}],
  registration_attempted: [{}],
  session_stolen: [{}],
  application_stolen: [{ application: 'P-1' }],
  second_factor_added: [{ factor: 'totp' }, { factor: 'passkey' }],
  second_factor_removed: [{ factor: 'totp' }, { factor: 'passkey' }],
  recovery_codes_made: [{}],
  recovery_code_used: [{ left: 7 }],
  passkey_copied: [{ name: 'K-1' }],
  account_connected: [{ provider: 'discord', name: 'A-1' }],
  account_disconnected: [{ provider: 'discord', name: 'A-1' }],
  vat_number_invalid: [{ vatNumber: 'V-1' }],
  mail_undeliverable: [{ address: 'A-1' }],
  announcement: [{ title: 'T-1', body: 'B-1' }],
}
const url = 'https://shop.example/x?token=T-1'
const MAIL_FACTS: { [K in MailKind]: MailFacts[K] } = {
  verify_email: { url },
  reset_password: { url },
  service_invitation: { inviter: 'I-1', service: 'S-1', url },
  email_change_requested: { newEmail: 'N-1' },
  email_changed: { newEmail: 'N-1' },
  more_attention: { times: 5 },
}

/** One of everything administrators are told. */
function attentions(): AttentionAbout[] {
  const failure = { code: 'C-1', detail: 'D-1.' }
  const gone = { code: 'server_gone', detail: 'Not said.' }
  const service: { [T in keyof AttentionFacts]?: readonly AttentionFacts[T][] } = {
    renewal_failed: [0, 1, 2].map((others) => ({ name: 'S-1', others, ...failure })),
    reinstall_failed: [{ name: 'S-1' }],
    upgrade_failed: [{ name: 'S-1', ...gone }],
    service_stuck: (['active', 'suspended', 'ended', 'deleted'] as const).map((goal) => {
      return { name: 'S-1', goal, ...failure }
    }),
    setup_failed: [{ name: 'S-1', ...failure }],
    setup_waits: [{ name: 'S-1', ...gone }],
    vat_number_refused: [{ email: 'E-1', vatNumber: 'V-1' }],
    eggs_changed: [
      { eggs: ['Egg 1'], products: [{ name: 'P-1', faults: '' }] },
      { eggs: ['Egg 1'], products: [{ name: 'P-1', faults: 'F-1' }] },
    ],
    product_not_sold: [{ name: 'P-1', faults: ['F-1', 'F-2'] }],
    endpoint_disabled: [
      { host: 'H-1', reason: 'gone' },
      { host: 'H-1', reason: 'failing' },
    ],
    warning_refused: [
      { name: 'S-1', step: 'end', on: '2030-01-02' },
      { name: 'S-1', step: 'suspension', on: '2030-01-02' },
    ],
  }
  const details = { ...MONEY, name: 'N-1', unheardOf: 'U-1', gatewayId: null }
  const money = Object.fromEntries(MONEY_TOPICS.map((topic) => [topic, [details]]))
  return Object.entries({ ...service, ...money }).flatMap(([topic, all]) =>
    all.map((facts) => ({ topic, facts }) as AttentionAbout),
  )
}

/** Made of facts alone, so they are the same in every language. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(['announcement'])

const [first, ...others] = Object.entries(LANGUAGES)
assert.ok(first && others.length > 0)

type Said = { name: string; facts: object; message: Message }

function saidIn(locale: keyof typeof LANGUAGES): Said[] {
  const { notices, mails } = LANGUAGES[locale].texts
  const say = notices as Record<string, (facts: object) => Message>
  const write = mails as Record<string, (facts: object) => Message>
  return [
    ...KINDS.flatMap((kind) =>
      FACTS[kind].map((facts) => {
        return { name: kind, facts, message: say[kind]?.(facts) ?? { title: '', body: '' } }
      }),
    ),
    ...Object.entries(MAIL_FACTS).map(([name, facts]) => {
      return { name, facts, message: write[name]?.(facts) ?? { title: '', body: '' } }
    }),
  ]
}

/** Which of the facts a message names: the same ones, whoever says it. */
function namedIn({ title, body }: Message, facts: object): string[] {
  const text = `${title} ${body}`
  return leavesOf(facts).flatMap(([name, value]) => {
    if (name === 'amountCents' || name === 'dueCents') return /12[.,]34/.test(text) ? name : []
    return typeof value === 'string' && !WORDS.has(name) && text.includes(value) ? name : []
  })
}

/** Facts that choose a sentence, and are not in it as they are. */
const WORDS: ReadonlySet<string> = new Set([
  ...['currency', 'factor', 'goal', 'next', 'reason', 'step', 'topic', 'why'],
])

function leavesOf(facts: object): [string, unknown][] {
  return Object.entries(facts).flatMap(([name, value]) => {
    return typeof value === 'object' && value !== null ? leavesOf(value) : [[name, value]]
  })
}

for (const locale of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) {
  test(`every text in ${locale} has a title of one line, and says what it is about`, () => {
    for (const { name, message, facts } of saidIn(locale)) {
      const { title, body } = message
      assert.ok(
        title.length > 2 && title.length <= 120 && !title.includes('\n'),
        `${name}: ${title}`,
      )
      assert.ok(body.length > 2 && body.length <= 600, `${name}: ${body}`)
      assert.doesNotMatch(`${title} ${body}`, /undefined|null|NaN|\[object|\$\{| {2,}\S/, name)
      if (Object.keys(facts).length > 0 && !['factor', 'left', 'times'].some((it) => it in facts)) {
        assert.ok(namedIn(message, facts).length > 0, `${name} names none of its facts`)
      }
    }
  })
}

for (const [locale, language] of others) {
  test(`${locale} says the same as ${first[0]}, in its own words`, () => {
    const own = saidIn(locale as keyof typeof LANGUAGES)
    for (const [index, { name, message, facts }] of saidIn(first[0] as 'en').entries()) {
      const there = own[index]?.message ?? { title: '', body: '' }
      assert.deepEqual(namedIn(there, facts), namedIn(message, facts), name)
      if (FOREIGN_WORDS.has(name)) continue
      assert.notEqual(there.body, message.body, name)
      if (name === 'admin_attention') assert.notEqual(there.title, message.title, message.title)
    }
    assertTranslated(language.pages, first[1].pages)
    assertTranslated(language.signIn, first[1].signIn)
    assertTranslated(language.purposes, first[1].purposes)
    assertTranslated(language.invoices.reasons, first[1].invoices.reasons)
  })
}

/** Words that two languages share. */
const SHARED = /^(Code|Discord|.{0,3})$/

/** The same keys, and no text that was only copied. */
function assertTranslated(own: object, other: object, path = ''): void {
  assert.deepEqual(Object.keys(own).sort(), Object.keys(other).sort(), path)
  for (const [key, value] of Object.entries(own)) {
    const there = Object.entries(other).find(([name]) => name === key)?.[1]
    assert.equal(typeof value, typeof there, `${path}.${key}`)
    if (typeof value === 'object') assertTranslated(value, there, `${path}.${key}`)
    if (typeof value === 'function') assert.notEqual(value('X'), there('X'), `${path}.${key}`)
    if (typeof value === 'string' && !SHARED.test(value)) {
      assert.notEqual(value, there, `${path}.${key} is not translated`)
    }
  }
}
