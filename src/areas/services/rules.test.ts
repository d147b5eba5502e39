import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import { assertActive, assertMayBecome, mayBecome, statusOf } from './rules.ts'
import { STATUSES } from './schema.ts'

const at = instant('2030-01-08T00:00:00Z')
const none = { paidAt: null, activatedAt: null, failedAt: null, suspendedAt: null, endedAt: null }
const facts = {
  pending: none,
  provisioning: { ...none, paidAt: at },
  failed: { ...none, paidAt: at, failedAt: at },
  active: { ...none, paidAt: at, activatedAt: at },
  suspended: { ...none, paidAt: at, activatedAt: at, suspendedAt: at },
  ended: { ...none, paidAt: at, activatedAt: at, endedAt: at },
}

const moves = {
  pending: ['provisioning', 'ended'],
  provisioning: ['active', 'failed', 'ended'],
  failed: ['provisioning', 'ended'],
  active: ['provisioning', 'suspended', 'ended'],
  suspended: ['active', 'ended'],
  ended: [] as string[],
}

for (const status of STATUSES) {
  test(`a service with these facts is ${status}, and goes where it may only`, () => {
    assert.equal(statusOf(facts[status]), status)
    const allowed = STATUSES.filter((next) => mayBecome(facts[status], next))
    assert.deepEqual([...allowed].sort(), [...moves[status]].sort())
  })
}

test('a move that is not allowed is refused with 409', () => {
  assert.throws(() => assertMayBecome(facts.ended, 'active'), { statusCode: 409 })
})

test('only an active service counts as active', () => {
  assert.doesNotThrow(() => assertActive(facts.active))
  for (const status of STATUSES.filter((it) => it !== 'active')) {
    assert.throws(() => assertActive(facts[status]), { statusCode: 409 })
  }
})
