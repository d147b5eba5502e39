import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { until } from '#test/app.ts'
import { type CounterStore, startLimiter } from './limits.ts'

const LIMITS = { general: 3, auth: 1, person: 10 }

test('a caller has its quota, and every other one its own', async () => {
  const limiter = startLimiter(LIMITS)
  const spent = await Promise.all([1, 2, 3, 4].map(() => limiter.spend('general', 'a')))
  assert.deepEqual(
    spent.map(({ remaining, exceeded }) => [remaining, exceeded]),
    [
      [2, false],
      [1, false],
      [0, false],
      [0, true],
    ],
  )
  assert.equal((await limiter.spend('general', 'b')).remaining, 2)
  assert.equal((await limiter.spend('auth', 'a')).exceeded, false)
  assert.equal(limiter.look('auth', 'a').remaining, 0)
  assert.ok(spent.every(({ resetSeconds }) => resetSeconds >= 1 && resetSeconds <= 60))
})

test('looking and asking count nothing', async () => {
  const limiter = startLimiter(LIMITS)
  for (let index = 0; index < 10; index += 1) limiter.look('general', 'a')
  for (let index = 0; index < 10; index += 1) await limiter.ask('general', 'a')
  assert.equal((await limiter.spend('general', 'a')).remaining, 2)
})

/** A store in memory that answers a moment later, can be away, and can lose what it was told. */
function storeOf() {
  const told = new Map<string, Map<string, number>>()
  const returned: (() => void)[] = []
  const state = { away: false, told, questions: 0 }
  const store: CounterStore = {
    async tell(counts) {
      state.questions += 1
      await new Promise(setImmediate)
      if (state.away) throw new Error('away')
      return counts.map(({ key, by, count }) => {
        const own = told.get(key) ?? new Map<string, number>()
        told.set(key, own.set(by, count))
        return own.values().reduce((sum, it) => sum + it, 0)
      })
    },
    onReturn: (it) => void returned.push(it),
    close: async () => {},
  }
  const comeBack = () => {
    state.away = false
    for (const it of returned) it()
  }
  return { store, state, comeBack }
}

async function limitersOn(t: TestContext, store: CounterStore, limits = LIMITS) {
  const heard: boolean[] = []
  const made = [1, 2].map(() => startLimiter(limits, store, (up) => heard.push(up)))
  t.after(() => Promise.all(made.map((it) => it.stop())))
  await until('they share', () => made.every(({ shared }) => shared))
  const [one, two] = made
  assert.ok(one && two)
  return { one, two, heard }
}

test('processes that share a store let through as many as one would, whoever is asked', async (t) => {
  const { store, state } = storeOf()
  const { one, two } = await limitersOn(t, store, { general: 100, auth: 1, person: 10 })
  for (let index = 0; index < 60; index += 1) await one.spend('general', 'a')
  assert.equal((await two.ask('general', 'a')).remaining, 40)
  const before = state.questions
  const both = Array.from({ length: 80 }, (_, index) =>
    (index % 2 ? one : two).spend('general', 'a'),
  )
  const standings = await Promise.all(both)
  assert.equal(standings.filter(({ exceeded }) => !exceeded).length, 40)
  assert.ok(state.questions - before <= 4, 'those who wait are asked for together')
  assert.deepEqual(
    [one, two].map((it) => it.look('general', 'a').remaining),
    [0, 0],
  )
})

test('while the store is away each process counts on its own, and says so (hardening 46)', async (t) => {
  const { store, state, comeBack } = storeOf()
  const { one, two, heard } = await limitersOn(t, store)
  await one.spend('general', 'a')
  state.away = true
  assert.equal((await one.spend('general', 'a')).remaining, 1)
  assert.equal(one.shared, false)
  assert.equal((await two.spend('general', 'a')).remaining, 2)
  // It comes back empty, and hears from everybody what they have counted.
  state.told.clear()
  comeBack()
  await until('it is back', () => one.shared && two.shared)
  assert.equal((await one.ask('general', 'a')).remaining, 0)
  assert.equal((await two.spend('general', 'a')).exceeded, true)
  assert.deepEqual(heard, [true, true, false, false, true, true])
})
