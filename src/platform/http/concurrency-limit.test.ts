import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concurrencyLimit } from './concurrency-limit.ts'

/** Work that goes on until it is told to end, and who has begun. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve, reject) =>
      ends.set(name, (error) => (error ? reject(error) : resolve(name))),
    )
  }
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)?.(error) }
}

test('of one caller a few run at once, the next when one has ended, and others do not wait (hardening 56)', async () => {
  const limit = concurrencyLimit(2)
  const { begun, work, end } = works()
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => limit.run(name[0] ?? '', work(name)))
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  end('a2', new Error('failed'))
  await assert.rejects(all[1] ?? Promise.resolve(), /failed/)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3'])
  for (const name of ['a1', 'a3', 'b1']) end(name)
  assert.deepEqual(await Promise.all([all[0], all[2]]), ['a1', 'a3'])
  assert.equal(begun.at(-1), 'a4')
  end('a4')
  assert.equal(await all[3], 'a4')
  const later = [5, 6, 7].map((it) => limit.run('a', work(`later ${it}`)))
  assert.deepEqual(begun.slice(-2), ['later 5', 'later 6'], 'limit are given back')
  for (const it of [5, 6]) end(`later ${it}`)
  await Promise.all(later.slice(0, 2))
  end('later 7')
  await later[2]
})
