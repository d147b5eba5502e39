import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plural } from './plural.ts'

for (const [locale, count, expected] of [
  ['en', 0, 'cores'],
  ['en', 1, 'core'],
  ['en', 1.5, 'cores'],
  ['fr', 0, 'core'],
  ['fr', 1, 'core'],
  ['fr', 1.5, 'core'],
  ['fr', 2, 'cores'],
] as const) {
  test(`${count} in ${locale} takes the form “${expected}”`, () => {
    assert.equal(plural(locale, count, 'core', 'cores'), expected)
  })
}
