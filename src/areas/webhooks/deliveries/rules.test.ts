import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, instant, later, millis, SECOND_MS } from '#lib/time.ts'
import { retryAfterMs } from '#platform/webhooks/sending.ts'
import { disablingReason, nextTry, roomsFor } from './rules.ts'

const now = instant('2030-01-01T00:00:00.000Z')
const plain = { retryAfterMs: null, random: 0 }

test('tries go on for more than three days, and then end', () => {
  let at = now
  const pauses: number[] = []
  for (let tries = 1; ; tries += 1) {
    const next = nextTry(tries, at, plain)
    if (!next) break
    pauses.push((millis(next) - millis(at)) / SECOND_MS)
    at = next
  }
  assert.deepEqual(pauses, [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  assert.ok(millis(at) - millis(now) > 3 * DAY_MS)
})

test('jitter makes a pause longer by a fifth at most, and never shorter', () => {
  const longest = nextTry(2, now, { retryAfterMs: null, random: 1 })
  assert.equal(longest, later(now, 360 * SECOND_MS))
})

const wishes = [
  ['that is longer than the pause is heeded', 600 * SECOND_MS, 600 * SECOND_MS],
  ['that is shorter does not use the tries up', SECOND_MS, 300 * SECOND_MS],
  ['for years waits a day', 365 * DAY_MS, 24 * HOUR_MS],
] as const

for (const [what, wish, pause] of wishes) {
  test(`a wish to wait ${what}`, () => {
    assert.equal(nextTry(2, now, { retryAfterMs: wish, random: 0 }), later(now, pause))
  })
}

const headers = [
  [undefined, null],
  ['120', 120_000],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
  ['Mon, 31 Dec 2029 23:00:00 GMT', 0],
  ['soon', null],
  ['99999999999999999999', null],
] as const

for (const [header, wanted] of headers) {
  test(`Retry-After: ${header} is ${wanted} ms`, () => {
    assert.equal(retryAfterMs(header, now), wanted)
  })
}

test('an endpoint is given up at 410, and after five days without a success, not before', () => {
  const failing = (ms: number) => ({ disabledAt: null, failingSince: later(now, -ms) })
  const refused = { statusCode: 500 }
  assert.equal(disablingReason(failing(0), { statusCode: 410 }, now), 'gone')
  assert.equal(disablingReason(failing(5 * DAY_MS - 1), refused, now), null)
  assert.equal(disablingReason(failing(5 * DAY_MS), refused, now), 'failing')
  assert.equal(disablingReason({ ...failing(9 * DAY_MS), disabledAt: now }, refused, now), null)
  assert.equal(disablingReason({ disabledAt: null, failingSince: null }, refused, now), null)
})

function endpoints(count: number, failing: boolean) {
  return Array.from({ length: count }, (_, index) => ({ id: `${failing}${index}`, failing }))
}

const idle = { total: 0, failing: 0, of: new Map<string, number>() }

test('endpoints where nothing arrives get half of the places at most, and one each', () => {
  const rooms = roomsFor([...endpoints(100, true), ...endpoints(3, false)], idle)
  const sizes = [...rooms.entries()]
  assert.equal(sizes.filter(([id]) => id.startsWith('true')).length, 32)
  assert.ok(sizes.every(([id, size]) => size === (id.startsWith('true') ? 1 : 4)))
  assert.equal(sizes.filter(([id]) => id.startsWith('false')).length, 3)
})

test('each endpoint gets a place before any gets a second, and a full one none', () => {
  const many = roomsFor(endpoints(70, false), idle)
  assert.deepEqual([many.size, Math.max(...many.values())], [64, 1])
  const busy = { ...idle, total: 4, of: new Map([['false0', 4]]) }
  const rooms = roomsFor(endpoints(2, false), busy)
  assert.deepEqual([...rooms], [['false1', 4]])
})
