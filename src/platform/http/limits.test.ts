import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { type CounterStore, startLimiter } from './limits.ts'

const LIMITS = { general: 3, auth: 1 }

test('a caller has its quota, and every other one its own', () => {
  const limiter = startLimiter(LIMITS)
  const spent = [1, 2, 3, 4].map(() => limiter.spend('general', 'a'))
  assert.deepEqual(
    spent.map(({ remaining, exceeded }) => [remaining, exceeded]),
    [
      [2, false],
      [1, false],
      [0, false],
      [0, true],
    ],
  )
  assert.equal(limiter.spend('general', 'b').remaining, 2)
  assert.equal(limiter.spend('auth', 'a').exceeded, false)
  assert.equal(limiter.look('auth', 'a').remaining, 0)
  assert.ok(spent.every(({ resetSeconds }) => resetSeconds >= 1 && resetSeconds <= 60))
})

test('looking counts nothing', () => {
  const limiter = startLimiter(LIMITS)
  for (let index = 0; index < 10; index += 1) limiter.look('general', 'a')
  assert.equal(limiter.spend('general', 'a').remaining, 2)
})

test('processes that share a store add their counts up', async (t) => {
  const totals = new Map<string, number>()
  const store: CounterStore = {
    async add(_window, counts) {
      for (const [key, count] of counts) totals.set(key, (totals.get(key) ?? 0) + count)
      return new Map([...counts.keys()].map((key) => [key, totals.get(key) ?? 0]))
    },
    close: async () => {},
  }
  const [one, two] = [startLimiter(LIMITS, store), startLimiter(LIMITS, store)]
  t.after(() => Promise.all([one.stop(), two.stop()]))
  one.spend('general', 'a')
  one.spend('general', 'a')
  await until('the first was heard', () => totals.get('general a') === 2)
  two.spend('general', 'a')
  await until('the second knows of both', () => two.look('general', 'a').remaining === 0)
  assert.equal(two.spend('general', 'a').exceeded, true)
})

test('while the store is away each process counts on its own, and says so', async (t) => {
  let up = false
  const heard: boolean[] = []
  const store: CounterStore = {
    add: async (_window, counts) => {
      if (!up) throw new Error('away')
      return new Map(counts)
    },
    close: async () => {},
  }
  const limiter = startLimiter(LIMITS, store, (state) => heard.push(state))
  t.after(() => limiter.stop())
  limiter.spend('general', 'a')
  await until('it noticed', () => !limiter.shared)
  assert.equal(limiter.spend('general', 'a').remaining, 1)
  up = true
  limiter.spend('general', 'a')
  await until('it is back', () => limiter.shared)
  assert.deepEqual(heard, [false, true])
})
