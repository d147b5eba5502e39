import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { usernameFor } from './username.ts'

const cases: [string, string][] = [
  ['Ann Example', 'annexample_aaaaaa'],
  ['Jürgen Groß', 'jurgengross_aaaaaa'],
  ['Łukasz Ærø', 'lukaszaero_aaaaaa'],
  ['ann.smith@example.com', 'annsmith_aaaaaa'],
  ['Анна', 'user_aaaaaa'],
  ['', 'user_aaaaaa'],
  ['x'.repeat(50), `${'x'.repeat(20)}_aaaaaa`],
]

for (const [text, username] of cases) {
  test(`${JSON.stringify(text)} becomes ${username}`, () => {
    assert.equal(
      usernameFor(text, () => 0),
      username,
    )
  })
}

test('every text gives a username every panel takes', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), chance, (text, random) => {
      assert.match(
        usernameFor(text, () => random),
        /^[a-z0-9]+_[a-z0-9]{6}$/,
      )
    }),
  )
})
