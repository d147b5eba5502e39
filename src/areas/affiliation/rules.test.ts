import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import { secretsOf } from '#platform/secrets.ts'
import { codeOf, newCode } from './affiliates/rules.ts'
import { toConvert } from './conversions/rules.ts'
import { completeRate } from './rates/rules.ts'
import { type Identity, maskedName, refusalOf, shareHome } from './referrals/rules.ts'
import { isRobot, originHash } from './visits/rules.ts'

const CONVERSIONS: [number, number | undefined, number | string][] = [
  [1999, undefined, 'below_minimum'],
  [2000, undefined, 2000],
  [5000, 2000, 2000],
  [5000, undefined, 5000],
  [5000, 1999, 'below_minimum'],
  [5000, 5001, 'above_available'],
  [1999, 2000, 'above_available'],
  [-40, undefined, 'below_minimum'],
]

for (const [available, wanted, expected] of CONVERSIONS) {
  test(`E62: of ${available} available, ${wanted ?? 'all'} converts ${expected}`, () => {
    const convert = () => toConvert(cents(available), wanted === undefined ? wanted : cents(wanted))
    if (typeof expected === 'number') assert.equal(convert(), expected)
    else assert.throws(convert, { statusCode: 422, code: expected })
  })
}

const home = { line1: '12 Analytical Lane', postcode: '75002', country: 'FR' }
const ada: Identity = { email: 'ada@example.org', vatNumber: null, address: home }
const bob: Identity = { email: 'bob@example.org', vatNumber: null, address: null }
const FR = 'FR40303265045'

const REFUSALS: [string, Identity, Identity, boolean, string | null][] = [
  ['somebody else', ada, bob, false, null],
  [
    'the same mailbox with a tag',
    ada,
    { ...bob, email: 'Ada+shop@Example.org' },
    false,
    'same_email',
  ],
  ['the same card', ada, bob, true, 'same_payment_method'],
  [
    'the same VAT number',
    { ...ada, vatNumber: FR },
    { ...bob, vatNumber: FR },
    false,
    'same_vat_number',
  ],
  ['one without a VAT number', { ...ada, vatNumber: FR }, bob, false, null],
]

for (const [who, affiliate, customer, sharedMeans, expected] of REFUSALS) {
  test(`commission for ${who} is ${expected ? `refused: ${expected}` : 'paid'}`, () => {
    assert.equal(refusalOf(affiliate, customer, { sharedMeans }), expected)
  })
}

test('a household is who writes the same address, however they write it', () => {
  const written = { ...home, line1: '12, analytical lane', postcode: '75 002' }
  assert.ok(shareHome(ada, { ...bob, address: written }))
  assert.ok(!shareHome(ada, { ...bob, address: { ...home, country: 'BE' } }))
  assert.ok(!shareHome({ ...ada, address: null }, bob))
})

test('a name is shown by its first letter, whole characters only', () => {
  assert.equal(maskedName(' Ada Lovelace'), 'A***')
  assert.equal(maskedName('🦊 Fox'), '🦊***')
})

test('codes are short, random, and read out without mistakes', () => {
  const codes = new Set(Array.from({ length: 200 }, newCode))
  assert.equal(codes.size, 200)
  for (const code of codes) assert.match(code, /^[A-HJ-NP-Z2-9]{8}$/)
  assert.equal(codeOf(' ab2c '), 'AB2C')
})

const AGENTS: [string | undefined, boolean][] = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Discordbot/2.0', true],
  ['facebookexternalhit/1.1', true],
  ['Mozilla/5.0 HeadlessChrome/120', true],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', false],
  ['Mozilla/5.0 (Linux; Android 14; CUBOT X30) Chrome/120 Mobile', false],
  [undefined, false],
]

for (const [agent, expected] of AGENTS) {
  test(`${agent ?? 'who does not say'} is ${expected ? 'a' : 'no'} robot`, () => {
    assert.equal(isRobot(agent), expected)
  })
}

test('an address has another hash every day, in every shop and under every key', () => {
  const secrets = [1, 2].map((it) => secretsOf([Buffer.alloc(32, it)])) as [never, never]
  const from = { tenantId: 'a', address: '203.0.113.7' }
  const [morning, evening, next] = ['03T01', '03T23', '04T01'].map((it) =>
    instant(`2030-01-${it}:00:00Z`),
  ) as [ReturnType<typeof instant>, ReturnType<typeof instant>, ReturnType<typeof instant>]
  const own = originHash(secrets[0], from, morning)
  assert.equal(originHash(secrets[0], from, evening), own)
  for (const other of [
    originHash(secrets[0], from, next),
    originHash(secrets[0], { ...from, tenantId: 'b' }, morning),
    originHash(secrets[1], from, morning),
  ]) {
    assert.notEqual(other, own)
  }
})

test('a rate says what it gives, once', () => {
  const fixed = { type: 'fixed', amountCents: cents(200) } as const
  assert.equal(completeRate(fixed, 'EUR').currency, 'EUR')
  assert.equal(completeRate({ ...fixed, currency: 'USD' }, 'EUR').currency, 'USD')
  for (const wrong of [
    { type: 'percent' },
    { type: 'fixed' },
    { ...fixed, type: 'percent' },
    { type: 'percent', percentBasisPoints: 500 as never, currency: 'EUR' },
  ] as Parameters<typeof completeRate>[0][]) {
    assert.throws(() => completeRate(wrong, 'EUR'), { statusCode: 400 })
  }
})
