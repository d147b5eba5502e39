import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '#lib/id.ts'
import type { EggRow, Provisioning } from '#panel'
import { catalogue, option, value } from '#test/options.ts'
import { effectFaults } from './effect-faults.ts'
import {
  type Applied,
  appliedOf,
  buildOf,
  environmentWith,
  filled,
  variablesOf,
} from './effects.ts'
import type { Effect, OptionTerms } from './terms.ts'

const provisioning: Provisioning = {
  ...{ eggId: newId(), nodeIds: [], locationIds: [] },
  limits: { memoryMb: 2048, diskMb: 10_240, cpuPercent: 100, swapMb: 0, io: 500 },
  featureLimits: { databases: 0, backups: 1, allocations: 1 },
  environment: { MOTD: 'Ours', DIFFICULTY: 'easy' },
}

function variable(env: string, rules: string[] = [], more = {}) {
  return {
    ...{ env, name: env, description: '', default: '', rules, viewable: true, editable: true },
    ...{ sort: 0, ...more },
  }
}

const egg: Pick<EggRow, 'variables' | 'dockerImages' | 'startupCommands'> = {
  variables: [
    variable('MAX_PLAYERS', ['required', 'integer', 'between:1,80'], { default: '20' }),
    variable('MOTD', ['string']),
    variable('DIFFICULTY', ['in:easy,hard']),
    variable('SEED', ['nullable', 'string'], { default: 'none' }),
  ],
  dockerImages: [{ label: 'Java 21', image: 'java:21' }],
  startupCommands: [{ label: 'Default', command: 'start' }],
}
const target = { provisioning, egg }

const players: Effect = { kind: 'variable', env: 'MAX_PLAYERS', template: '{quantity}' }

function applied(effect: Effect, more: Partial<Applied> = {}): Applied {
  return { effect, value: null, quantity: null, text: null, ...more }
}

function faultsOf(of: OptionTerms, more: Partial<typeof target> = {}) {
  return effectFaults(of, { ...target, ...more }).map(({ path, code }) => `${path} ${code}`)
}

test('4 GB of memory add 4096 MB to the build, and nothing else', () => {
  const { memory } = catalogue
  const chosen = appliedOf({ option: memory, value: null, quantity: 4, text: null })
  const built = buildOf(provisioning, [chosen])
  const limits = { ...provisioning.limits, memoryMb: 6144 }
  assert.deepEqual(built.provisioning, { ...provisioning, limits })
})

test('X18: a quantity whose steps break the rules of the egg names each of them', () => {
  const slots = { ...catalogue.slots, step: 10, effect: players }
  assert.deepEqual(faultsOf(slots), [
    'options.slots.90 environment_invalid',
    'options.slots.100 environment_invalid',
  ])
  assert.deepEqual(faultsOf({ ...slots, max: 80 }), [])
})

test('of a long quantity the smallest, the largest and 200 steps are tried', () => {
  const long = { ...catalogue.slots, min: 1, max: 5000, effect: players }
  const faults = faultsOf(long)
  assert.equal(faults.length, 121)
  assert.equal(faults.at(-1), 'options.slots.5000 environment_invalid')
})

test('each value is tried with the effect of its own, or that of its option', () => {
  const effect: Effect = { kind: 'variable', env: 'DIFFICULTY', template: '{value}' }
  const own: Effect = { kind: 'variable', env: 'NOT_THERE', template: 'x' }
  const mode = option('mode', {
    effect,
    values: [value('easy'), value('peaceful'), value('none', { effect: own })],
  })
  assert.deepEqual(faultsOf(mode), [
    'options.mode.peaceful environment_invalid',
    'options.mode.none environment_invalid',
  ])
})

const resources = [
  ['memory without a limit', { memoryMb: 0 }, { memoryMb: 1 }, 'effect_on_unlimited'],
  ['a processor without a limit', { cpuPercent: 0 }, { cpuPercent: 1 }, 'effect_on_unlimited'],
  ['swap without a limit', { swapMb: -1 }, { swapMb: 1 }, 'effect_on_unlimited'],
  ['no swap', { swapMb: 0 }, { swapMb: 1 }, null],
  ['more than panels take', {}, { diskMb: 100_000_000 }, 'effect_too_large'],
  ['databases where there are none', {}, { databases: 1 }, null],
] as const
for (const [what, limits, amounts, code] of resources) {
  test(`an option on ${what} ${code ? `is refused with ${code}` : 'is fine'}`, () => {
    const on = option('more', {
      kind: 'toggle',
      effect: { kind: 'resource', amounts },
      values: [value('off'), value('on')],
    })
    const other = { ...provisioning, limits: { ...provisioning.limits, ...limits } }
    const expected = code ? [`options.more.on ${code}`] : []
    assert.deepEqual(faultsOf(on, { provisioning: other }), expected)
  })
}

test('an image and a start-up command are labels of the egg', () => {
  const java = option('java', {
    values: [
      value('j21', { effect: { kind: 'image', label: 'Java 21' } }),
      value('j8', { effect: { kind: 'image', label: 'Java 8' } }),
      value('fast', { effect: { kind: 'startup', label: 'Fast' } }),
    ],
  })
  assert.deepEqual(faultsOf(java), [
    'options.java.j8 label_unknown',
    'options.java.fast label_unknown',
  ])
  const built = buildOf(provisioning, [
    applied({ kind: 'image', label: 'Java 21' }),
    applied({ kind: 'startup', label: 'Default' }),
  ])
  assert.deepEqual([built.dockerImage, built.startup], ['Java 21', 'Default'])
})

test('a variable is that of the option, then the customer’s, then the product’s, then the default', () => {
  const customer = { MAX_PLAYERS: '5', MOTD: 'Mine' }
  const slots = applied(players, { quantity: 40 })
  const values = environmentWith(egg, {
    ...{ applied: [slots], customer, product: provisioning.environment },
  })
  assert.deepEqual(values, {
    ...{ MAX_PLAYERS: '40', MOTD: 'Mine', DIFFICULTY: 'easy', SEED: 'none' },
  })
})

test('a variable of the product gives way to that of an option', () => {
  const hard: Effect = { kind: 'variable', env: 'DIFFICULTY', template: 'hard' }
  const sources = { customer: { DIFFICULTY: 'easy' }, product: provisioning.environment }
  const values = environmentWith(egg, { ...sources, applied: [applied(hard)] })
  assert.equal(values.DIFFICULTY, 'hard')
})

test('a variable that an option sets is locked for customers, beside those that were', () => {
  const choices = { lockedVariables: ['MOTD'], dockerImage: true, startup: false }
  const built = buildOf({ ...provisioning, choices }, [applied(players, { quantity: 40 })])
  assert.deepEqual(built.provisioning.choices, {
    ...choices,
    lockedVariables: ['MOTD', 'MAX_PLAYERS'],
  })
  assert.equal(built.provisioning.environment.MAX_PLAYERS, '40')
})

test('a template takes what was chosen, and a choice that looks like a template stays as it is', () => {
  const words = { quantity: 3, value: 'easy', text: '{quantity} $& {value}' }
  assert.equal(
    filled('{quantity}-{value}-{text}-{other}', words),
    '3-easy-{quantity} $& {value}-{other}',
  )
})

test('a toggle that is off and a quantity of 0 set nothing, unless their value says so', () => {
  const [off, on] = [value('off'), value('on')]
  const pvp = option('pvp', { kind: 'toggle', effect: players, values: [off, on] })
  const variables = (of: OptionTerms, chosen = off) =>
    variablesOf([appliedOf({ option: of, value: chosen, quantity: null, text: null })])
  assert.deepEqual(variables(pvp), {})
  assert.deepEqual(Object.keys(variables(pvp, on)), ['MAX_PLAYERS'])
  const own = value('off', { effect: { kind: 'variable', env: 'PVP', template: '0' } })
  assert.deepEqual(variables({ ...pvp, values: [own, on] }, own), { PVP: '0' })
})

const amount = fc.integer({ min: 0, max: 5000 })
const anyApplied = fc.record({
  amounts: fc.record({ memoryMb: amount, diskMb: amount, backups: amount, subdomains: amount }),
  quantity: fc.option(fc.integer({ min: 0, max: 40 })),
})

test('the build is the sum of all effects, whatever their order', () => {
  fc.assert(
    fc.property(fc.array(anyApplied), fc.nat(), (choices, seed) => {
      const effects = choices.map(({ amounts, quantity }) =>
        applied({ kind: 'resource', amounts }, { quantity }),
      )
      const shuffled = effects.toSorted((a, b) => rank(a, seed) - rank(b, seed))
      const built = buildOf(provisioning, effects)
      assert.deepEqual(buildOf(provisioning, shuffled), built)
      const memory = choices.reduce((sum, it) => sum + it.amounts.memoryMb * (it.quantity ?? 1), 0)
      assert.equal(built.provisioning.limits.memoryMb, 2048 + memory)
      const names = choices.reduce((sum, it) => sum + it.amounts.subdomains * (it.quantity ?? 1), 0)
      assert.equal(built.subdomains, names)
    }),
  )
})

function rank(it: Applied, seed: number): number {
  return (JSON.stringify(it).length * 7919 + (it.quantity ?? 0) * 31 + seed) % 97
}
