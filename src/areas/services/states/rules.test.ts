import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOUR_MS, instant, later } from '#lib/time.ts'
import { PanelError, type PanelServer, UNCERTAIN_MS } from '#panel'
import { goalOf, isForOperators, nextTry, stepFor } from './rules.ts'

const now = instant('2030-01-08T00:00:00Z')
const active = {
  ...{ activatedAt: now, suspendedAt: null, suspendReasons: [] as string[] },
  ...{ endWantedAt: null, endKeepsData: false, endedAt: null },
  ...{ deleteServerAt: null, serverDeletedAt: null },
}
const suspended = { ...active, suspendedAt: now, suspendReasons: ['unpaid'] }
const ending = { ...active, endWantedAt: now }
const ended = { ...ending, endedAt: now }

const goals = [
  ['runs as it should', active, null],
  ['is to be suspended', { ...active, suspendReasons: ['admin'] }, 'suspended'],
  ['is suspended as it should', suspended, null],
  ['is suspended for no reason any more', { ...suspended, suspendReasons: [] }, 'active'],
  ['has one reason of two left', { ...suspended, suspendReasons: ['admin'] }, null],
  ['is not set up yet', { ...active, activatedAt: null, suspendReasons: ['admin'] }, null],
  ['is to end', ending, 'deleted'],
  ['is to end and keep its data', { ...ending, endKeepsData: true }, 'ended'],
  ['is to end and never had data', { ...ending, endKeepsData: true, activatedAt: null }, 'deleted'],
  ['is to end though it is suspended', { ...suspended, endWantedAt: now }, 'deleted'],
  ['has ended', ended, null],
  ['has ended and is kept', { ...ended, deleteServerAt: later(now, 1) }, null],
  ['has ended and was kept long enough', { ...ended, deleteServerAt: now }, 'deleted'],
  ['is gone', { ...ended, deleteServerAt: now, serverDeletedAt: now }, null],
] as const

for (const [what, facts, goal] of goals) {
  test(`a service that ${what} is brought to ${goal ?? 'nothing else'}`, () => {
    assert.equal(goalOf({ ...facts, suspendReasons: [...facts.suspendReasons] }, now), goal)
  })
}

const server = (status: PanelServer['status']) => ({ id: 7, status }) as PanelServer
const certain = { uncertainSince: null }

test('a server is only asked to become what it is not', () => {
  const steps = (['installed', 'suspended'] as const).map((status) =>
    (['active', 'suspended', 'ended', 'deleted'] as const).map(
      (goal) => stepFor(goal, server(status), certain, now).step,
    ),
  )
  assert.deepEqual(steps, [
    ['confirmed', 'suspend', 'suspend', 'delete'],
    ['unsuspend', 'confirmed', 'confirmed', 'delete'],
  ])
})

test('a server that may still be in the making is not taken for gone', () => {
  const uncertainSince = now
  const early = stepFor('deleted', undefined, { uncertainSince }, later(now, UNCERTAIN_MS))
  assert.deepEqual(early, { step: 'look_again', at: later(now, 2 * UNCERTAIN_MS) })
  const late = stepFor('deleted', undefined, { uncertainSince }, later(now, 2 * UNCERTAIN_MS))
  assert.deepEqual(late, { step: 'confirmed', missing: true })
  assert.deepEqual(stepFor('active', undefined, certain, now), { step: 'missing' })
})

test('a panel that is away is asked again for as long as it takes, never sooner than it wants', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(1000), (attempt, hours) => {
      const startedAt = later(now, -hours * HOUR_MS)
      const at = nextTry({ startedAt, attempt }, { retryAfterMs: 5000 }, now)
      assert.ok(at >= later(now, 5000) && at <= later(now, 2 * HOUR_MS))
    }),
  )
})

test('operators hear of a third failure, and at once of a refused key', () => {
  const away = new PanelError('unavailable', { code: 'http_502', detail: '' })
  const refused = new PanelError('unauthorized', { code: 'http_401', detail: '' })
  assert.deepEqual(
    [1, 2, 3].map((attempt) => isForOperators(away, attempt)),
    [false, false, true],
  )
  assert.ok(isForOperators(refused, 1))
})
