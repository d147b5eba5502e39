import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from './batch.ts'

class OwnFault extends Error {}
const isOwnFault = (error: unknown) => error instanceof OwnFault

/** Work that notes its batches, and ends each when it is told. */
function watched(fails: (items: readonly string[]) => Error | null = () => null, most = 10) {
  const batches: string[] = []
  const ends: (() => void)[] = []
  const add = batched<string>(
    async (key, items) => {
      batches.push(`${key} ${items.join('')}`)
      await new Promise<void>((resolve) => ends.push(resolve))
      const error = fails(items)
      if (error) throw error
    },
    { most, isOwnFault },
  )
  async function endAll(): Promise<void> {
    while (ends.length > 0) {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
  }
  return { add, batches, endAll }
}

async function outcomes(work: readonly Promise<void>[]): Promise<string> {
  return (await Promise.allSettled(work)).map(({ status }) => status[0]).join('')
}

test('what comes while a batch is under way is done together after it, and hears of its own end', async () => {
  const { add, batches, endAll } = watched()
  const first = add('x', 'a')
  const later = Promise.all([add('x', 'b'), add('x', 'c')])
  assert.deepEqual(batches, ['x a'])
  await Promise.all([first, later, endAll()])
  assert.deepEqual(batches, ['x a', 'x bc'])
  await Promise.all([add('x', 'd'), endAll()])
  assert.equal(batches.at(-1), 'x d')
})

test('what has another key neither waits nor is mixed in', async () => {
  const { add, batches, endAll } = watched()
  await Promise.all([add('x', 'a'), add('y', 'b'), add('x', 'c'), endAll()])
  assert.deepEqual(batches, ['x a', 'y b', 'x c'])
})

test('a batch is never larger than it may be', async () => {
  const { add, batches, endAll } = watched(undefined, 2)
  await Promise.all([...'abcdef'].map((it) => add('x', it)).concat(endAll()))
  assert.deepEqual(batches, ['x a', 'x bc', 'x de', 'x f'])
})

test('an item whose own fault it is fails alone', async () => {
  const { add, endAll } = watched((items) => (items.includes('c') ? new OwnFault() : null))
  const work = [...'abcd'].map((it) => add('x', it))
  const [found] = await Promise.all([outcomes(work), endAll()])
  assert.equal(found, 'ffrf')
})

test('what fails for everybody is not tried again for each of them', async () => {
  const { add, batches, endAll } = watched(() => new Error('The database is away'))
  const work = [...'abcd'].map((it) => add('x', it))
  const [found] = await Promise.all([outcomes(work), endAll()])
  assert.equal(found, 'rrrr')
  assert.equal(batches.length, 2)
})
