import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import { assertAnswerable, assertOpen, firstNameOf, permissionsFrom, statusOf } from './rules.ts'

const now = instant('2030-01-08T00:00:00.000Z')
const open = {
  email: 'ada@example.org',
  expiresAt: instant('2030-01-09T00:00:00.000Z'),
  acceptedAt: null,
  declinedAt: null,
  revokedAt: null,
}
const ada = { email: 'Ada@example.org', emailVerified: true }

test('an open invitation can be answered by the address it was sent to', () => {
  assert.equal(statusOf(open, now), 'pending')
  assert.doesNotThrow(() => assertAnswerable(open, ada, now))
})

const refusals = [
  ['that was accepted', { ...open, acceptedAt: now }, ada, 410],
  ['that was declined', { ...open, declinedAt: now }, ada, 410],
  ['that was taken back', { ...open, revokedAt: now }, ada, 410],
  ['whose last moment is now', { ...open, expiresAt: now }, ada, 410],
  ['for another address', open, { ...ada, email: 'eve@example.org' }, 403],
  ['for an address that is not confirmed', open, { ...ada, emailVerified: false }, 403],
] as const

for (const [what, invitation, who, statusCode] of refusals) {
  test(`an invitation ${what} is refused with ${statusCode}`, () => {
    assert.throws(() => assertAnswerable(invitation, who, now), { statusCode })
  })
}

test('a preview of a closed invitation is refused with 410', () => {
  assert.throws(() => assertOpen({ ...open, acceptedAt: now }, now), { statusCode: 410 })
})

test('looking is always part of what a member may do', () => {
  assert.deepEqual(permissionsFrom([]), ['view'])
  assert.deepEqual(permissionsFrom(['files', 'power', 'files']), ['view', 'power', 'files'])
})

test('a stranger sees the first name only (hardening 10)', () => {
  assert.equal(firstNameOf('Ada Lovelace'), 'Ada')
  assert.equal(firstNameOf('   '), '-')
})
