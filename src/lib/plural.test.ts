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

for (const [count, expected] of [
  [0, 'serwerów'],
  [1, 'serwer'],
  [2, 'serwery'],
  [5, 'serwerów'],
  [12, 'serwerów'],
  [22, 'serwery'],
] as const) {
  test(`${count} in pl takes the form “${expected}”`, () => {
    assert.equal(plural('pl', count, 'serwer', 'serwerów', 'serwery'), expected)
  })
}
