import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { instant, later, MINUTE_MS } from '#lib/time.ts'
import { createOutbound } from '#platform/outbound.ts'
import { startVies } from '#sandbox/vies/server.ts'
import { queryVies } from './register.ts'
import { askAgainAt, isInRegister, statusWithoutAnswer } from './rules.ts'

const vies = await startVies()
const outbound = createOutbound({ privateHosts: [vies.host] })
after(async () => {
  outbound.close()
  await vies.close()
})
const place = { url: vies.url, signal: new AbortController().signal }
const vatNumber = 'DE136695976'

test('a number is asked for in our name, and the answer has a consultation number', async () => {
  const answer = await queryVies(outbound, place, { vatNumber, requester: 'FR40303265045' })
  assert.equal(answer.status, 'valid')
  assert.ok(answer.status === 'valid' && answer.consultationNumber?.startsWith('WAPI'))
  assert.deepEqual(vies.questions.at(-1), {
    ...{ countryCode: 'DE', vatNumber: '136695976' },
    ...{ requesterMemberStateCode: 'FR', requesterNumber: '40303265045' },
  })
})

test('without a number of ours there is no consultation number', async () => {
  const answer = await queryVies(outbound, place, { vatNumber, requester: null })
  assert.deepEqual(answer, { status: 'valid', requester: null, consultationNumber: null })
})

test('a number of ours that the register does not take costs the consultation number alone', async () => {
  vies.say(vatNumber, 'INVALID_REQUESTER_INFO')
  const answer = await queryVies(outbound, place, { vatNumber, requester: 'FR40303265045' })
  assert.deepEqual(answer, { status: 'valid', requester: null, consultationNumber: null })
})

const words = [
  ['invalid', 'invalid'],
  ['INVALID_INPUT', 'invalid'],
  ['MS_UNAVAILABLE', 'unavailable'],
  ['SERVICE_UNAVAILABLE', 'unavailable'],
  ['TIMEOUT', 'unavailable'],
  ['MS_MAX_CONCURRENT_REQ', 'unavailable'],
  ['GLOBAL_MAX_CONCURRENT_REQ', 'unavailable'],
  ['IP_BLOCKED', 'unavailable'],
  ['hang-up', 'unavailable'],
  ['not-json', 'unavailable'],
] as const
for (const [word, status] of words) {
  test(`${word} is ${status}`, async () => {
    vies.say(vatNumber, word)
    const answer = await queryVies(outbound, place, { vatNumber, requester: null })
    assert.equal(answer.status, status)
  })
}

test('nobody there is unavailable', async () => {
  const nowhere = { ...place, url: 'http://127.0.0.1:1' }
  const answer = await queryVies(outbound, nowhere, { vatNumber, requester: null })
  assert.equal(answer.status, 'unavailable')
})

test('the register has numbers of the EU, Greek ones with EL, and no others', () => {
  for (const number of ['DE136695976', 'FR40303265045', 'EL123456783']) {
    assert.equal(isInRegister(number), true, number)
  }
  for (const number of ['GB123456789', 'CHE123456788', 'GR123456783', '12345']) {
    assert.equal(isInRegister(number), false, number)
  }
})

test('the register is asked again at growing pauses, for about two weeks', () => {
  const now = instant('2030-01-08T00:00:00Z')
  assert.equal(askAgainAt(1, now), later(now, 5 * MINUTE_MS))
  assert.equal(askAgainAt(2, now), later(now, 15 * MINUTE_MS))
  assert.equal(askAgainAt(29, now), later(now, 720 * MINUTE_MS))
  assert.equal(askAgainAt(30, now), null)
})

test('what the register said stands while it does not answer', () => {
  assert.equal(statusWithoutAnswer('unchecked'), 'unavailable')
  assert.equal(statusWithoutAnswer('valid'), 'valid')
  assert.equal(statusWithoutAnswer('invalid'), 'invalid')
})
