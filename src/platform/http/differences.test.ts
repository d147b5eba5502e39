import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesOf, HIDDEN } from './differences.ts'

const none: ReadonlySet<string> = new Set()

const CASES = [
  ['an equal object has no difference', { a: 1, b: [1] }, { b: [1], a: 1 }, []],
  ['a changed value is named', { a: 1 }, { a: 2 }, [{ path: 'a', before: 1, after: 2 }]],
  [
    'a changed value inside of an object is named by its path',
    { tax: { mode: 'net', country: 'FR' } },
    { tax: { mode: 'gross', country: 'FR' } },
    [{ path: 'tax.mode', before: 'net', after: 'gross' }],
  ],
  ['a list is one value', { a: [1] }, { a: [1, 2] }, [{ path: 'a', before: [1], after: [1, 2] }]],
  ['a missing value is null', {}, { a: 'x' }, [{ path: 'a', before: null, after: 'x' }]],
  [
    'the value of a secret is hidden',
    { settings: { apiKey: 'one', webhookSecret: 'x' } },
    { settings: { apiKey: 'two', webhookSecret: 'x' } },
    [{ path: 'settings.apiKey', before: HIDDEN, after: HIDDEN }],
  ],
  [
    'a secret inside of a new value is hidden',
    { settings: null },
    { settings: { password: 'two', port: 25 } },
    [{ path: 'settings', before: null, after: { password: HIDDEN, port: 25 } }],
  ],
] as const

for (const [title, before, after, expected] of CASES) {
  test(title, () => {
    assert.deepEqual(differencesOf({ before, after }, none), expected)
  })
}

test('only editable fields are compared, if the object has some of them', () => {
  const objects = { before: { name: 'a', seen: 1 }, after: { name: 'b', seen: 2 } }
  const named = differencesOf(objects, new Set(['name']))
  assert.deepEqual(named, [{ path: 'name', before: 'a', after: 'b' }])
})

test('a long value is cut', () => {
  const [change] = differencesOf({ before: { a: '' }, after: { a: 'x'.repeat(9000) } }, none)
  assert.ok(String(change?.after).length < 600)
})
