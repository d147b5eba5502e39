import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bucket } from './connection-state.ts'
import { PanelError } from './panel-error.ts'

const BACKGROUND = { background: true }

test('a panel that allows more than usual is not waited for because it was asked before it said so', () => {
  const bucket = new Bucket(240, 0)
  assert.equal(bucket.take(0, BACKGROUND), 0)
  bucket.learn({ limit: 60_000, remaining: 59_999 })
  assert.equal(bucket.take(1, BACKGROUND), 0)
})

test('a panel that allows less is asked no more often than it allows', () => {
  const bucket = new Bucket(240, 0)
  bucket.learn({ limit: 60, remaining: 59 })
  let taken = 0
  while (bucket.take(0, { background: false }) === 0) taken += 1
  assert.equal(taken, 12)
})

test('what others have left of a limit is all there is, however high it is', () => {
  const bucket = new Bucket(240, 0)
  bucket.learn({ limit: 60_000, remaining: 3 })
  let taken = 0
  while (bucket.take(0, { background: false }) === 0) taken += 1
  assert.equal(taken, 3)
})

test('an API key that a panel repeats is not part of the error', () => {
  const detail = 'Authorization: Bearer abc.def is not ptla_0123456789, nor pacc_xyz'
  const { failure, message } = new PanelError('forbidden', { code: 'http_403', detail })
  assert.equal(failure.detail, 'Authorization: [secret] is not [secret], nor [secret]')
  assert.ok(!message.includes('ptla_'))
})
