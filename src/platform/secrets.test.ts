import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { randomToken, secretsOf } from './secrets.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]

test('what was sealed opens for its own row only', () => {
  const secrets = secretsOf([first])
  const sealed = secrets.seal('sk_test_1', 'gateways 1')
  assert.equal(secrets.open(sealed, 'gateways 1'), 'sk_test_1')
  assert.throws(() => secrets.open(sealed, 'gateways 2'))
})

test('a new key seals, and the earlier one still opens', () => {
  const old = secretsOf([first]).seal('secret', 'row')
  const rotated = secretsOf([second, first])
  assert.equal(rotated.open(old, 'row'), 'secret')
  assert.throws(
    () => secretsOf([first]).open(rotated.seal('secret', 'row'), 'row'),
    /not configured/,
  )
})

test('a sealed text that was changed does not open', () => {
  const secrets = secretsOf([first])
  const sealed = secrets.seal('secret', 'row')
  const last = sealed.at(-2) === 'A' ? 'B' : 'A'
  assert.throws(() => secrets.open(`${sealed.slice(0, -2)}${last}${sealed.at(-1)}`, 'row'))
})

test('sealing twice gives different texts, and purposes have different keys', () => {
  const secrets = secretsOf([first])
  assert.notEqual(secrets.seal('a', 'row'), secrets.seal('a', 'row'))
  assert.notDeepEqual(secrets.keysFor('one')[0]?.key, secrets.keysFor('two')[0]?.key)
})

test('a token has 256 bits and its prefix', () => {
  assert.match(randomToken('moor_'), /^moor_[A-Za-z0-9_-]{43}$/)
})
