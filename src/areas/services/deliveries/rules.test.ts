import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, instant, millis } from '#lib/time.ts'
import { deliveryStateOf, mayBeDone, meaningOf, nextTry } from './rules.ts'

const now = instant('2030-01-01T00:00:00.000Z')

const answers = [
  ['200 with the outcome done', 200, '{"outcome":"done"}', 'done'],
  ['200 with a reference', 200, '{"outcome":"done","reference":"a-1"}', 'done'],
  ['200 with another outcome', 200, '{"outcome":"failed"}', 'unclear'],
  ['200 with a field that is unknown', 200, '{"outcome":"done","price":1}', 'unclear'],
  ['200 with a page', 200, '<html>', 'unclear'],
  ['200 without a body', 200, null, 'unclear'],
  ['201', 201, '{"outcome":"done"}', 'unclear'],
  ['204', 204, '', 'unclear'],
  ['202', 202, '', 'accepted'],
  ['409', 409, '', 'refused'],
  ['410', 410, '', 'refused'],
  ['422', 422, '{"reason":"No space left."}', 'refused'],
  ['400', 400, '{"reason":"No."}', 'unclear'],
  ['500', 500, '', 'unclear'],
  ['no answer', null, null, 'unclear'],
] as const

for (const [what, statusCode, text, is] of answers) {
  test(`${what} is ${is}`, () => {
    assert.equal(meaningOf(statusCode, text).is, is)
  })
}

test('the reason of a refusal is that of the system, or its status', () => {
  assert.deepEqual(meaningOf(422, '{"reason":"No space left."}'), {
    ...{ is: 'refused', reason: 'No space left.' },
  })
  assert.deepEqual(meaningOf(409, '{"reason":""}'), { is: 'refused', reason: 'It answered 409.' })
})

test('the first pause is 10 seconds, and the last try comes 72 hours after the first', () => {
  const pauses: number[] = []
  let at = now
  for (let tries = 1; ; tries += 1) {
    const next = nextTry(tries, at, { retryAfterMs: null, random: 0 })
    if (!next) break
    pauses.push(millis(next) - millis(at))
    at = next
  }
  assert.equal(pauses[0], 10_000)
  assert.ok(pauses.every((it, index) => index === 0 || it > (pauses[index - 1] ?? 0)))
  assert.equal(millis(at) - millis(now), 72 * HOUR_MS)
})

test('the state follows from what happened last', () => {
  const none = { sentAt: null, acceptedAt: null, doneAt: null, failedAt: null, canceledAt: null }
  const states = [
    none,
    { ...none, sentAt: now },
    { ...none, sentAt: now, acceptedAt: now },
    { ...none, sentAt: now, acceptedAt: now, doneAt: now },
    { ...none, sentAt: now, failedAt: now },
    { ...none, canceledAt: now },
  ]
  assert.deepEqual(states.map(deliveryStateOf), [
    ...['waiting', 'sent', 'accepted', 'done', 'failed', 'canceled'],
  ])
})

test('what was sent may be done, unless the system has refused it or says that it is not', () => {
  const sent = (failureCode: 'refused' | 'not_done' | 'unanswered' | null) =>
    mayBeDone({ sentAt: now, failureCode })
  assert.equal(mayBeDone({ sentAt: null, failureCode: null }), false)
  assert.deepEqual(
    [sent(null), sent('unanswered'), sent('refused'), sent('not_done')],
    [true, true, false, false],
  )
})
