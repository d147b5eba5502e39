import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant } from '#lib/time.ts'
import { impersonationEnd, mayImpersonate } from './rules.ts'

const CASES = [
  ['support acts as a customer', ['users:impersonate'], [], true],
  ['all of users covers it', ['users:*'], [], true],
  ['reading people is not enough', ['users:read', 'users:write'], [], false],
  ['support does not act as staff', ['users:*', 'store:read'], ['store:read'], false],
  ['an owner acts as staff', ['*'], ['store:read', 'users:*'], true],
  ['an owner acts as another owner', ['*'], ['*'], true],
  ['who holds nothing acts as nobody', [], [], false],
] as const

for (const [what, own, others, expected] of CASES) {
  test(`${what}: ${expected}`, () => {
    assert.equal(mayImpersonate(new Set(own), new Set(others)), expected)
  })
}

test('an impersonation lasts 30 minutes', () => {
  const end = impersonationEnd(instant('2030-01-01T10:00:00.000Z'))
  assert.equal(end, '2030-01-01T10:30:00.000Z')
})
