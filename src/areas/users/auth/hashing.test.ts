import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#lib/problem.ts'
import { hashing } from './hashing.ts'

test('few passwords are hashed at once, the next wait, and beyond that the answer is a 503 with Retry-After', async () => {
  const begun: (() => void)[] = []
  let most = 0
  let open = 0
  const work = () => {
    open += 1
    most = Math.max(most, open)
    return new Promise<void>((done) =>
      begun.push(() => {
        open -= 1
        done()
      }),
    )
  }
  const all = Array.from({ length: 250 }, () =>
    hashing(work).then(
      () => null,
      (error) => error,
    ),
  )
  for (let ended = 0; ended < 250; ended += 1) {
    begun.shift()?.()
    await new Promise(setImmediate)
  }
  const refused = (await Promise.all(all)).filter((it) => it !== null)
  assert.ok(most >= 1 && most <= 3, `${most} at once`)
  assert.equal(refused.length, 250 - 200 - most)
  for (const error of refused) {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.statusCode, error.headers['retry-after']], [503, '5'])
  }
})

test('a comparison that fails gives its place back', async () => {
  for (let round = 0; round < 10; round += 1) {
    await assert.rejects(
      hashing(() => Promise.reject(new Error('broken'))),
      /broken/,
    )
  }
  assert.equal(await hashing(async () => 'next'), 'next')
})
