import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, later, MINUTE_MS, SECOND_MS } from '#lib/time.ts'
import { type Guesses, waitMs } from './rules.ts'

const now = instant('2030-01-08T12:00:00Z')
const DAY_MS = 24 * 60 * MINUTE_MS

function guesses(failures: number, agoMs = 0, signedInMs: number | null = null): Guesses {
  const signedInAt = signedInMs === null ? null : later(now, -signedInMs)
  return { failures, guessedAt: later(now, -agoMs), signedInAt }
}

const none = guesses(0)
const familiar = (failures: number, agoMs = 0) => guesses(failures, agoMs, DAY_MS)

const CASES = [
  ['nine wrong guesses', guesses(9), none, 0],
  ['ten', guesses(10), none, SECOND_MS],
  ['eleven', guesses(11), none, 2 * SECOND_MS],
  ['eleven, the last of them a second ago', guesses(11, SECOND_MS), none, SECOND_MS],
  ['a thousand from a network nobody signed in from', guesses(1000), none, 15 * MINUTE_MS],
  ['a thousand from one that is known', familiar(1000), none, 30 * SECOND_MS],
  ['a thousand, the last of them a day ago', guesses(1000, DAY_MS), none, 0],
  ['49 by others', none, guesses(49), 0],
  ['50 by others', none, guesses(50), SECOND_MS],
  ['a million by others', none, guesses(1_000_000), 5 * MINUTE_MS],
  ['a million by others, and a network that is known', familiar(0), guesses(1_000_000), 0],
  [
    'a million by others, and a network last known 91 days ago',
    guesses(0, 0, 91 * DAY_MS),
    guesses(1_000_000),
    5 * MINUTE_MS,
  ],
] as const

for (const [what, here, everywhere, expected] of CASES) {
  test(`after ${what} the next guess waits ${expected / SECOND_MS} seconds`, () => {
    assert.equal(waitMs({ here, everywhere }, now), expected)
  })
}
