import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, type Instant, instant, later } from '#lib/time.ts'
import { endedKeys, isRotationDue, publishedKeys, signingFrom } from './rules.ts'

const start = instant('2030-01-01T00:00:00.000Z')
const days = (count: number): Instant => later(start, count * DAY_MS)

const first = { id: 'first', signsAt: days(0) }
const second = { id: 'second', signsAt: days(90) }
const both = [second, first]

test('the first key signs at once, every further one a day after it was made', () => {
  assert.equal(signingFrom(undefined, start), start)
  assert.equal(signingFrom(first, days(89)), days(90))
})

const dues = [
  ['there is no key', [], 0, true],
  ['the newest is young', [first], 88, false],
  ['a day is left until the newest is old', [first], 89, true],
  ['the next one waits to sign', both, 89.5, false],
  ['the next one has just begun to sign', both, 90, false],
] as const

for (const [what, keys, day, due] of dues) {
  test(`another key ${due ? 'is' : 'is not'} made when ${what}`, () => {
    assert.equal(isRotationDue(keys, 90, days(day)), due)
  })
}

const published = [
  ['before the new one signs', 89.5, ['first', 'second']],
  ['in the moment the new one begins to sign', 90, ['second', 'first']],
  ['in the last moment of the old one', 119.9, ['second', 'first']],
  ['when the old one has ended', 120, ['second']],
] as const

for (const [what, day, ids] of published) {
  test(`${what} the keys are ${ids.join(' and ')}, the signing one first`, () => {
    assert.deepEqual(
      publishedKeys(both, days(day)).map(({ id }) => id),
      ids,
    )
  })
}

test('only the key that nothing needs any more has ended', () => {
  assert.deepEqual(endedKeys(both, days(119)), [])
  assert.deepEqual(endedKeys(both, days(120)), [first])
})
