import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesced } from './coalesce.ts'

/** Looks that end when the test says so, numbered as they began. */
function looks() {
  const begun: PromiseWithResolvers<number>[] = []
  const look = () => {
    const it = Promise.withResolvers<number>()
    begun.push(it)
    return it.promise
  }
  return { begun, look }
}

test('a call that arrives during a lookup gets the next one, shared with the other waiting calls', async () => {
  const ask = coalesced<number>()
  const { begun, look } = looks()
  const first = ask('a', look)
  const [second, third] = [ask('a', look), ask('a', look)]
  assert.equal(begun.length, 1)
  begun[0]?.resolve(1)
  assert.equal(await first, 1)
  const fourth = ask('a', look)
  assert.equal(begun.length, 2)
  begun[1]?.resolve(2)
  assert.deepEqual(await Promise.all([second, third]), [2, 2])
  assert.equal(begun.length, 3)
  begun[2]?.resolve(3)
  assert.equal(await fourth, 3)
})

test('a look at something else does not wait', async () => {
  const ask = coalesced<number>()
  const { begun, look } = looks()
  const all = [ask('a', look), ask('b', look)]
  assert.equal(begun.length, 2)
  for (const [index, it] of begun.entries()) it.resolve(index)
  assert.deepEqual(await Promise.all(all), [0, 1])
})

test('a look that fails does so for those who share it, and the next is one of its own', async () => {
  const ask = coalesced<number>()
  const { begun, look } = looks()
  const first = ask('a', look)
  const second = ask('a', look)
  begun[0]?.reject(new Error('away'))
  await assert.rejects(first, /away/)
  begun[1]?.resolve(2)
  assert.equal(await second, 2)
  const third = ask('a', look)
  begun[2]?.resolve(3)
  assert.equal(await third, 3)
})
