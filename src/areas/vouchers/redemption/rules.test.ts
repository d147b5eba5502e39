import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS } from '#lib/time.ts'
import { type Attempt, blockAfter, waitingUntil } from './rules.ts'

const now = instant('2030-01-08T12:00:00.000Z')

/** Wrong codes that many minutes ago, newest first. */
function attempts(minutesAgo: readonly number[]): Attempt[] {
  return minutesAgo.map((it) => ({ failedAt: later(now, -it * MINUTE_MS), blockedUntil: null }))
}

function evenly(count: number, minutes: number): Attempt[] {
  return attempts(Array.from({ length: count }, (_, at) => at * minutes))
}

test('the eleventh code waits until the first of the ten wrong ones is an hour old', () => {
  assert.equal(waitingUntil([], now), null)
  assert.equal(waitingUntil(evenly(9, 1), now), null)
  assert.equal(waitingUntil(evenly(10, 5), now), later(now, 15 * MINUTE_MS))
  assert.equal(waitingUntil(attempts([1, 2, 3, 4, 5, 6, 7, 8, 9, 60]), now), null)
})

test('the 30th wrong code within a day blocks the customer for a day from then on', () => {
  assert.equal(blockAfter(evenly(28, 30), now), null)
  const blockedUntil = later(now, DAY_MS)
  assert.equal(blockAfter(evenly(29, 30), now), blockedUntil)
  assert.equal(blockAfter(evenly(29, 60), now), null)
  const blocked = [{ failedAt: now, blockedUntil }, ...evenly(29, 40)]
  const soon = later(now, 23 * HOUR_MS)
  assert.equal(waitingUntil(blocked, soon), blockedUntil)
  assert.equal(waitingUntil(blocked, blockedUntil), null)
})
