import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EggVariable } from './egg.ts'
import { environmentFor, missingValues, refusedValues, validateEnvironment } from './rules.ts'

function variable(rules: string, more: Partial<EggVariable> = {}): EggVariable {
  return {
    env: 'VALUE',
    name: 'The value',
    description: '',
    default: '',
    rules: rules.split('|'),
    viewable: true,
    editable: true,
    sort: 0,
    ...more,
  }
}

/** Rules, a value they take, a value they refuse. */
const cases: [string, string | undefined, string][] = [
  ['required|string', 'x', ''],
  ['required', '0', '   '],
  ['nullable|integer', '', '1.5'],
  ['integer', '-5', '05'],
  ['int', '7', 'seven'],
  ['numeric', '1.5e3', '1,5'],
  ['numeric', '.5', '0x10'],
  ['boolean', '1', 'true'],
  ['string|max:5', 'éàüñç', 'abcdef'],
  ['required|string|min:5|max:20', 'abcde', 'abcd'],
  ['required|integer|max:128', '128', '129'],
  ['required|numeric|min:0', '0', '-1'],
  ['required|integer|between:1025,65535', '1025', '1024'],
  ['required|string|between:3,15', 'abc', 'ab'],
  ['nullable|string|alpha_num|size:4', 'ab12', 'ab1'],
  ['required|numeric|digits_between:1,3', '123', '1234'],
  ['digits:4', '0042', '42'],
  ['numeric|gt:10', '10.5', '10'],
  ['alpha_dash', 'a-b_c9', 'a b'],
  ['alpha_num', 'ab9', 'a-b'],
  ['in:vanilla,oxide,carbon', 'oxide', 'Oxide'],
  ['in:a,"b,c"', 'b,c', 'b'],
  ['not_in:root,admin', 'user', 'root'],
  ['ends_with:.jar,.zip', 'a.jar', 'a.exe'],
  ['nullable|url', 'https://example.org/a', 'example.org'],
  ['required|regex:/^([\\w\\d._-]+)(\\.jar)$/', 'server.jar', 'server.zip'],
  ['regex:/^[a-c]+$/i', 'ABC', 'abd'],
  ['not_regex:/\\s/', 'ab', 'a b'],
  ['Nullable|integer', '', 'x'],
  ['present|string|min:1', 'a', ''],
  // Without `nullable` an empty value keeps no rule of type.
  ['string', 'x', ''],
  ['string|max:3', 'abc', ' '],
  ['numeric', '1', ''],
  ['integer', '1', ''],
  ['boolean', '0', ''],
  ['regex:/^[a-z]*$/', 'abc', ''],
  ['regex:/\\Aabc\\z/', 'abc', ''],
  ['not_regex:/x/', 'abc', ''],
  ['in:a,b', 'a', ''],
  ['alpha_num', 'a', ''],
  ['min:1', 'a', ''],
  ['nullable|string|max:3', '', 'abcd'],
  ['nullable|regex:/^[a-z]+$/', ' ', 'A'],
  ['required|nullable', 'a', ''],
]

for (const [rules, good, bad] of cases) {
  test(`${rules} takes ${JSON.stringify(good)} and refuses ${JSON.stringify(bad)}`, () => {
    const variables = [variable(rules)]
    const take = (value: string | undefined) =>
      validateEnvironment(variables, value === undefined ? {} : { VALUE: value })
    assert.deepEqual(take(good), [])
    assert.deepEqual(
      take(bad).map(({ path }) => path),
      ['environment.VALUE'],
    )
  })
}

/** What a panel may refuse, but not we. */
const leftToThePanel: [string, string][] = [
  ['some_new_rule:3', 'x'],
  ['gt:OTHER_FIELD', '1'],
  ['regex:/\\Aabc\\z/', 'x'],
  ['regex:/^(a+)+$/', `${'a'.repeat(60)}!`],
  ['regex:not a pattern', 'x'],
  ['max:3', ''],
  ['between:0,3', ''],
  ['present', ''],
  ['in:"",a', ''],
  ['some_new_rule', ''],
]

for (const [rules, value] of leftToThePanel) {
  test(`${rules} leaves ${value.slice(0, 5)} to the panel`, () => {
    assert.deepEqual(validateEnvironment([variable(rules)], { VALUE: value }), [])
  })
}

test('a value that is not there at all is an empty one', () => {
  for (const [rules, faults] of [
    ['required', 1],
    ['string', 1],
    ['nullable|string', 0],
    ['present', 0],
  ] as const) {
    assert.equal(validateEnvironment([variable(rules)], {}).length, faults, rules)
  }
})

test('a message names the variable in words', () => {
  const [detail] = validateEnvironment([variable('required|string|max:2')], { VALUE: 'abc' })
  assert.equal(detail?.message, 'The value must have at most 2 characters.')
})

test('names an egg does not have never reach for what every object has', () => {
  const variables = [variable('required', { env: 'constructor' })]
  assert.equal(missingValues(variables, {}).length, 1)
  assert.equal(environmentFor({ variables }, { plan: {}, customer: {} }).constructor, '')
})

const shared = { rules: ['required', 'string'] }
const fixed = variable('', { ...shared, env: 'SLOTS', editable: false, default: '10' })
const free = variable('', { ...shared, env: 'MOTD', default: 'Hello' })
const asked = variable('', { ...shared, env: 'TOKEN' })

test('a customer sets only what is editable; the plan and the defaults do the rest', () => {
  const environment = environmentFor(
    { variables: [fixed, free, asked] },
    { plan: { SLOTS: '20', MOTD: 'Plan' }, customer: { SLOTS: '99', TOKEN: 't', OTHER: 'x' } },
  )
  assert.deepEqual(environment, { SLOTS: '20', MOTD: 'Plan', TOKEN: 't' })
})

test('what a customer may not set is named', () => {
  const refused = refusedValues([fixed, free], { SLOTS: '99', MOTD: 'x', OTHER: 'y' })
  assert.deepEqual(
    refused.map(({ path }) => path),
    ['environment.SLOTS', 'environment.OTHER'],
  )
})

test('a required variable without value is missing until the plan gives one', () => {
  const variables = [fixed, free, asked]
  assert.deepEqual(missingValues(variables, {}), [asked])
  assert.deepEqual(missingValues(variables, { TOKEN: 't' }), [])
  assert.deepEqual(missingValues(variables, { TOKEN: 't', MOTD: '' }), [free])
})

test('a variable that is not required and may not be empty is missing too', () => {
  const typed = variable('string', { env: 'WORLD' })
  const loose = variable('nullable|string', { env: 'SEED' })
  assert.deepEqual(missingValues([typed, loose], {}), [typed])
})
