import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookError } from '../src/index.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another one that is not the shop’s').toString('base64')}`
const NOW = new Date('2026-11-24T12:00:00Z')
const MINUTE_MS = 60_000
const EVENT = { type: 'endpoint.ping', version: 1, timestamp: NOW.toISOString(), data: { id: 'x' } }
const body = JSON.stringify(EVENT)

/** As the shop sends it: signed by another implementation of the same standard. */
function sent({ at = NOW, secret = SECRET } = {}) {
  return {
    'webhook-id': 'message-1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': new Webhook(secret).sign('message-1', at, body),
  }
}

test('a message of the shop is answered as its event, whatever kind of headers it came with', async () => {
  const plain = await verifyWebhook({ body, headers: sent(), secret: SECRET, now: NOW })
  assert.deepEqual(plain, EVENT)
  const headers = new Headers(sent())
  assert.deepEqual(await verifyWebhook({ body, headers, secret: SECRET, now: NOW }), EVENT)
})

test('while a secret is being replaced, one signature that fits is enough', async () => {
  const [old, current] = [sent({ secret: OTHER }), sent()]
  const both = `${old['webhook-signature']} ${current['webhook-signature']}`
  const headers = { ...current, 'webhook-signature': both }
  assert.deepEqual(await verifyWebhook({ body, headers, secret: SECRET, now: NOW }), EVENT)
})

test('what was changed, signed by others, sent long ago or not signed is refused', async () => {
  const early = new Date(NOW.getTime() - 6 * MINUTE_MS)
  const late = new Date(NOW.getTime() + 6 * MINUTE_MS)
  const { 'webhook-signature': signature, ...unsigned } = sent()
  const refused = [
    { body: body.replace('ping', 'pong'), headers: sent() },
    { body, headers: sent({ secret: OTHER }) },
    { body, headers: sent({ at: early }) },
    { body, headers: sent({ at: late }) },
    { body, headers: { ...sent(), 'webhook-id': 'message-2' } },
    { body, headers: { ...sent(), 'webhook-timestamp': 'soon' } },
    { body, headers: unsigned },
    { body, headers: { ...sent(), 'webhook-signature': 'v1,!' } },
    { body, headers: { ...sent(), 'webhook-signature': signature.replace('v1,', 'v2,') } },
  ]
  for (const it of refused) {
    await assert.rejects(verifyWebhook({ ...it, secret: SECRET, now: NOW }), WebhookError)
  }
})
