import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { secretsOf } from '#platform/secrets.ts'
import { invoiceIdIn, payTokenOf, payUrlFor } from './pay-links.ts'

const old = randomBytes(32)
const secrets = secretsOf([old])
const origin = 'https://shop.example'

test('only mails that ask for a payment link to the payment page', () => {
  const id = newId()
  const to = `/invoices/${id}`
  for (const kind of [
    'invoice_sent',
    'order_placed',
    'renewal_invoice',
    'payment_reminder',
    'payment_failed',
  ]) {
    const url = payUrlFor(secrets, { kind, to }, origin)
    assert.equal(url, `${origin}/pay/${payTokenOf(secrets, id)}`, kind)
  }
  assert.equal(payUrlFor(secrets, { kind: 'invoice_paid', to }, origin), null)
  const other = { kind: 'payment_reminder', to: `/servers/${id}` }
  assert.equal(payUrlFor(secrets, other, origin), null)
})

test('a link stays valid after a change of the secret key, and cannot be forged without the key', () => {
  const id = newId()
  const token = payTokenOf(secrets, id)
  assert.equal(invoiceIdIn(secretsOf([randomBytes(32), old]), token), id)
  assert.equal(invoiceIdIn(secretsOf([randomBytes(32)]), token), null)
})
