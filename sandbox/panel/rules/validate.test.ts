import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ValidationError } from '../http/errors.ts'
import { readEggFiles } from '../state/egg-files.ts'
import { validate } from './validate.ts'

/** The rules a value breaks, as the panel would name them; `absent` leaves the field out. */
function broken(rules: string, value: unknown): string[] {
  try {
    validate({ input: value === 'absent' ? {} : { field: value }, rules: { field: [rules] } })
    return []
  } catch (error) {
    if (error instanceof ValidationError) return error.failures.map(({ rule }) => rule)
    throw error
  }
}

const CASES: [rules: string, kept: unknown[], broken: unknown[]][] = [
  ['required', ['x', 0, false], [null, '', ' ', 'absent']],
  ['nullable|string', [null, '', 'x', 'absent'], [5]],
  ['string', ['x', 'absent'], [null, 5]],
  ['Nullable|int', [null, 5, '5', '-5', '+5'], ['5.5', '05', 'x', true]],
  ['numeric', ['1e3', '.5', '-2', 7], ['x', '1,5', null]],
  ['boolean', [true, false, 1, 0, '1', '0'], ['true', 'yes', 2]],
  ['present', [null, '', 'x'], ['absent']],
  ['string|max:3', ['abc', 'äöü'], ['abcd']],
  ['numeric|max:3', ['3', 3], ['4']],
  ['min:5', ['12345'], ['9', 9]],
  ['integer|between:1025,65535', ['1025', 65_535], ['80']],
  ['between:3,5', ['abc'], ['ab']],
  ['size:2', ['ab'], ['a']],
  ['numeric|gt:5', ['6'], ['5']],
  ['digits:3', ['123'], ['12', '12a']],
  ['digits_between:1,3', ['1', 123], ['1234', '-1']],
  ['in:vanilla,oxide', ['oxide'], ['carbon', 'OXIDE']],
  ['required|boolean|in:0,1', [true, '1'], [false]],
  ['not_in:root', ['ann'], ['root']],
  ['ends_with:.jar,.zip', ['a.zip'], ['a.exe']],
  ['alpha_dash', ['a-b_1', 'é'], ['a b', 'a.b']],
  ['alpha_num', ['a1'], ['a-1']],
  ['url', ['https://example.com/x?y=1'], ['example.com', 'x y']],
  ['regex:/^([\\w\\d._-]+)(\\.jar)$/', ['server.jar'], ['server.zip', '../x.jar']],
  ['regex:/^[a-z]{1,3}$/i', ['ABC'], ['abcd']],
  ['not_regex:/x/', ['abc'], ['axc']],
  ['some_rule_of_a_plugin:1', ['x', null], []],
]

for (const [rules, kept, others] of CASES) {
  test(`the rule ${rules} keeps and breaks what it should`, () => {
    for (const value of kept) assert.deepEqual(broken(rules, value), [], JSON.stringify(value))
    for (const value of others) assert.notDeepEqual(broken(rules, value), [], JSON.stringify(value))
  })
}

test('every failed rule is named, but none after a missing field', () => {
  assert.deepEqual(broken('required|string|max:2', null), ['required'])
  assert.deepEqual(broken('string|digits:2|max:2', 'abc'), ['digits', 'max'])
})

test('the defaults of an egg keep its rules, save what is to be asked', () => {
  const asked = readEggFiles().flatMap(({ variables }) =>
    variables
      .filter(({ rules, defaultValue }) => broken(rules.join('|'), defaultValue || null).length > 0)
      .map(({ envVariable }) => envVariable),
  )
  assert.deepEqual(asked, ['SRCDS_APPID', 'SRCDS_GAME', 'SRCDS_MAP', 'OWNER', 'RCON_PASS'])
})
