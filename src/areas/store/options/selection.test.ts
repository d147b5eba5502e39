import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instant } from '#lib/time.ts'
import { catalogue, MONTHLY, option, row, value } from '#test/options.ts'
import { type Situation, selectionOf, type Wish } from './selection.ts'
import type { OptionTerms } from './terms.ts'

const { memory, slots, disk, backups, ip } = catalogue
const all = [memory, slots, disk, backups, ip]
const situation: Situation = {
  ...MONTHLY,
  ...{ locationId: null, isTrial: false, isStaff: false, pieces: 1 },
}
const archivedAt = instant('2026-03-01T00:00:00.000Z')

function faultsOf(options: readonly OptionTerms[], wish: Wish, at: Partial<Situation> = {}) {
  const { faults } = selectionOf(options, wish, { ...situation, ...at })
  return faults.map(({ path, code }) => `${path} ${code}`)
}

function chosenOf(options: readonly OptionTerms[], wish: Wish, at: Partial<Situation> = {}) {
  const { chosen } = selectionOf(options, wish, { ...situation, ...at })
  return Object.fromEntries(
    chosen.map((it) => [it.option.key, it.value?.key ?? it.quantity ?? it.text]),
  )
}

test('an option that is not named takes its default value, its minimum or is off', () => {
  assert.deepEqual(chosenOf(all, {}), {
    ...{ memory: 0, slots: 10, disk: 0, backups: 'none', ip: 'off' },
  })
  assert.deepEqual(faultsOf(all, {}), [])
})

test('what was chosen is taken: a number, a value, a yes and a text', () => {
  const motd = option('motd', { kind: 'text', maxLength: 20, prices: [row(0)] })
  const wish = { memory: 4, slots: 70, backups: 'daily', ip: true, motd: 'Welcome' }
  assert.deepEqual(faultsOf([...all, motd], wish), [])
  assert.deepEqual(chosenOf([...all, motd], wish), { ...wish, ip: 'on', disk: 0 })
  assert.equal(chosenOf([ip], { ip: 'on' }).ip, 'on')
  assert.equal(chosenOf([ip], { ip: false }).ip, 'off')
})

const stepped = { ...slots, step: 10 }
const quantities: [string | number, string][] = [
  [15, 'off_step'],
  [110, 'above_maximum'],
  [0, 'below_minimum'],
  ['ten', 'value_unknown'],
  [20.5, 'off_step'],
  [Number.NaN, 'off_step'],
]
for (const [wanted, code] of quantities) {
  test(`X5: ${wanted} slots in steps of 10 from 10 to 100 are refused with ${code}`, () => {
    assert.deepEqual(faultsOf([stepped], { slots: wanted }), [`options.slots ${code}`])
  })
}

test('X5: three bad keys give three details', () => {
  const wish = { memory: 33, backups: 'weekly', color: 'red' }
  assert.deepEqual(faultsOf(all, wish), [
    ...['options.memory above_maximum', 'options.backups value_unknown'],
    'options.color option_unknown',
  ])
})

test('X14: an option without a price for the cycle or the currency is not offered', () => {
  const fault = ['options.memory option_not_offered']
  assert.deepEqual(faultsOf([memory], { memory: 4 }, { interval: 'week' }), fault)
  assert.deepEqual(faultsOf([memory], { memory: 4 }, { currency: 'USD' }), fault)
  assert.deepEqual(faultsOf([memory], { memory: 4 }, { interval: 'year' }), [])
})

test('a default that cannot be had is left out, and refuses no order', () => {
  const weekly = { interval: 'week' } as const
  assert.deepEqual(faultsOf([slots, backups], {}, weekly), [])
  assert.deepEqual(chosenOf([slots, backups], {}, weekly), {})
})

test('a default that is archived is left out', () => {
  const archived = { ...backups, values: [value('none', { isDefault: true, archivedAt })] }
  assert.deepEqual(chosenOf([archived], {}), {})
})

const REFUSALS: [string, OptionTerms[], Wish, Partial<Situation>, string][] = [
  ['a required select', [{ ...backups, required: true }], {}, {}, 'backups option_required'],
  [
    'a required text that is blank',
    [option('name', { kind: 'text', required: true, prices: [row(0)] })],
    { name: ' ' },
    {},
    'name option_required',
  ],
  [
    'an archived value',
    [{ ...backups, values: [value('none'), value('daily', { archivedAt })] }],
    { backups: 'daily' },
    {},
    'backups value_archived',
  ],
  [
    'a value at another location',
    [{ ...backups, values: [value('daily', { locationIds: ['fra'] })] }],
    { backups: 'daily' },
    { locationId: 'sgp' },
    'backups not_at_location',
  ],
  [
    'an option that is not for trials',
    [{ ...ip, trial: false }],
    { ip: true },
    { isTrial: true },
    'ip option_not_in_trial',
  ],
  ['more than is in stock', [ip], { ip: true }, { pieces: 21 }, 'ip out_of_stock'],
  ['an archived option', [{ ...ip, archivedAt }], { ip: true }, {}, 'ip option_unknown'],
  ['an option for staff', [{ ...ip, hidden: true }], { ip: true }, {}, 'ip option_unknown'],
  ['a key of every object', [ip], { constructor: 'x' }, {}, 'constructor option_unknown'],
  ['a yes to a select', [backups], { backups: true }, {}, 'backups value_unknown'],
  ['a value that breaks', [ip], { ip: true }, { isBroken: () => true }, 'ip option_not_offered'],
]
for (const [what, options, wish, at, fault] of REFUSALS) {
  test(`${what} is refused: ${fault}`, () => {
    assert.deepEqual(faultsOf(options, wish, at), [`options.${fault}`])
  })
}

test('staff choose hidden options, and a trial leaves out only what is taken', () => {
  assert.deepEqual(faultsOf([{ ...ip, hidden: true }], { ip: true }, { isStaff: true }), [])
  assert.deepEqual(faultsOf([{ ...ip, trial: false }], { ip: false }, { isTrial: true }), [])
})

test('a value that requires another option needs one of its values', () => {
  const needing = option('support', {
    values: [value('plus', { requires: [{ key: 'backups', values: ['daily', 'hourly'] }] })],
    prices: [row(100, { value: 'plus' })],
  })
  const options = [needing, { ...backups, name: 'Backups' }]
  const { faults } = selectionOf(options, { support: 'plus' }, situation)
  assert.deepEqual(
    faults.map(({ code }) => code),
    ['requirement_missing'],
  )
  assert.equal(faults[0]?.message, 'support needs Backups: daily, hourly.')
  assert.deepEqual(faultsOf(options, { support: 'plus', backups: 'daily' }), [])
})

test('a default whose requirement is not met is left out', () => {
  const needing = option('support', {
    values: [value('plus', { isDefault: true, requires: [{ key: 'backups', values: ['daily'] }] })],
    prices: [row(0, { value: 'plus' })],
  })
  assert.deepEqual(chosenOf([needing, backups], {}), { backups: 'none' })
  assert.deepEqual(chosenOf([needing, backups], { backups: 'daily' }), {
    ...{ support: 'plus', backups: 'daily' },
  })
})

test('a text has to match its pattern as a whole, and an expression that never ends refuses it', () => {
  const text = (pattern: string) =>
    option('tag', { kind: 'text', maxLength: 40, pattern, prices: [row(0)] })
  assert.deepEqual(faultsOf([text('[a-z]+')], { tag: 'abc' }), [])
  assert.deepEqual(faultsOf([text('[a-z]+')], { tag: 'abc1' }), ['options.tag text_invalid'])
  const slow = { tag: `${'a'.repeat(38)}!` }
  assert.deepEqual(faultsOf([text('(a+)+')], slow), ['options.tag text_invalid'])
  assert.deepEqual(faultsOf([text('.*')], { tag: 'a'.repeat(41) }), ['options.tag text_invalid'])
})

test('faults are told in the language of the reader', () => {
  const { faults } = selectionOf([stepped], { slots: 15 }, situation)
  assert.equal(faults[0]?.message, 'slots must be 10 or more, in steps of 10.')
})

test('whatever is wished for, each option is chosen at most once, and what was chosen is wished for or a default', () => {
  const anything = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.boolean())
  const keys = fc.oneof(fc.constantFrom(...all.map(({ key }) => key)), fc.string())
  fc.assert(
    fc.property(fc.dictionary(keys, anything), (wish) => {
      const { chosen, faults } = selectionOf(all, wish, situation)
      const taken = chosen.map((it) => it.option.key)
      assert.equal(new Set(taken).size, taken.length)
      const faulty = new Set(faults.map(({ path }) => path))
      for (const key of Object.keys(wish)) {
        assert.notEqual(taken.includes(key), faulty.has(`options.${key}`), key)
      }
    }),
  )
})
