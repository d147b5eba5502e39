import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import Stripe from 'stripe'
import { instant, later, SECOND_MS } from '#lib/time.ts'
import { isSigned } from './signature.ts'

type Vector = {
  name: string
  header: string
  now: number
  secrets: string[]
  payload: string
  accept: boolean
}

const url = new URL('./data/signature-vectors.json', import.meta.url)
const { vectors } = JSON.parse(await readFile(url, 'utf8')) as { vectors: Vector[] }

for (const { name, header, now, secrets, payload, accept } of vectors) {
  test(`acceptance 17: the vector "${name}" is ${accept ? 'accepted' : 'rejected'}`, () => {
    const message = { header, body: Buffer.from(payload), receivedAt: instant(now * SECOND_MS) }
    assert.equal(isSigned(message, secrets), accept)
  })
}

const secret = 'whsec_abcdefgh'
const body = Buffer.from('{"id":"evt_1"}')
const sentAt = instant('2030-01-08T00:00:00.000Z')
const t = Date.parse(sentAt) / SECOND_MS
const signed = headerOf(secret)
const v1 = signed.split('v1=')[1] ?? ''

function headerOf(key: string): string {
  return Stripe.webhooks.generateTestHeaderString({
    payload: body.toString(),
    secret: key,
    timestamp: t,
  })
}

const accepted = [
  ['300 seconds old', signed, 300],
  ['300 seconds ahead', signed, -300],
  ['with an unknown scheme before it', `t=${t},v0=${v1},v1=${v1}`, 0],
] as const

for (const [what, header, ageSeconds] of accepted) {
  test(`a signature ${what} is accepted`, () => {
    const receivedAt = later(sentAt, ageSeconds * SECOND_MS)
    assert.equal(isSigned({ header, body, receivedAt }, [secret]), true)
  })
}

const rejected = [
  ['301 seconds old', signed, 301],
  ['301 seconds ahead', signed, -301],
  ['without a time', `v1=${v1}`, 0],
  ['with two times', `t=${t},t=${t},v1=${v1}`, 0],
  ['with a word as time', `t=abc,v1=${v1}`, 0],
  ['in upper case', `t=${t},v1=${v1.toUpperCase()}`, 0],
  ['cut short', `t=${t},v1=${v1.slice(0, 62)}`, 0],
] as const

for (const [what, header, ageSeconds] of rejected) {
  test(`a signature ${what} is rejected`, () => {
    const receivedAt = later(sentAt, ageSeconds * SECOND_MS)
    assert.equal(isSigned({ header, body, receivedAt }, [secret]), false)
  })
}

test('each stored secret counts while one replaces the other', () => {
  const message = { header: signed, body, receivedAt: sentAt }
  assert.equal(isSigned(message, ['whsec_another', secret]), true)
  assert.equal(isSigned(message, ['whsec_another']), false)
})

for (const empty of ['', ' ']) {
  test(`nothing is authentic under the secret "${empty}"`, () => {
    const forged = createHmac('sha256', empty).update(`${t}.`).update(body).digest('hex')
    const message = { header: `t=${t},v1=${forged}`, body, receivedAt: sentAt }
    assert.equal(isSigned(message, [empty]), false)
  })
}
