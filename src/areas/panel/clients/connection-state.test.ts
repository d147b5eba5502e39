import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bucket } from './connection-state.ts'

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
