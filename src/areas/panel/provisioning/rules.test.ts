import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Instant, instant, later, MINUTE_MS, millis } from '#lib/time.ts'
import type { PanelServer } from '../clients/contract.ts'
import { PanelError, type PanelErrorKind } from '../clients/panel-error.ts'
import {
  afterCreate,
  afterLook,
  afterPoll,
  beforeCreate,
  newProvisioning,
  pollAt,
  reconcileStep,
  retryAt,
  type Step,
  UNCERTAIN_MS,
} from './rules.ts'

const start = instant('2030-01-01T00:00:00.000Z')
const middle = () => 0.5
const fresh = newProvisioning(start)
const expected = { eggId: 3, userId: 42 }

const server: PanelServer = {
  id: 77,
  uuid: '1a7ce997-259b-452e-8b4e-cecc464142ca',
  identifier: '1a7ce997',
  externalId: 'svc-1',
  name: 'World',
  description: '',
  status: 'installing',
  userId: 42,
  nodeId: 1,
  eggId: 3,
  allocationId: 118,
  allocations: [],
  limits: { memoryMb: 1, swapMb: 0, diskMb: 1, cpuPercent: 100, io: 500, threads: null },
  featureLimits: { databases: 0, backups: 0, allocations: 1 },
  oomKiller: false,
  startup: 'run',
  image: 'java:21',
  environment: {},
}

function fault(kind: PanelErrorKind, fields: string[] = [], retryAfterMs?: number) {
  return new PanelError(kind, {
    code: kind,
    detail: 'It went wrong.',
    fields: fields.map((path) => ({ path, rule: 'exists', message: '' })),
    retryAfterMs,
  })
}

function afterMs(ms: number): Instant {
  return later(start, ms)
}

function timeOf(step: Step): number {
  assert.ok('at' in step, `no time in ${step.step}`)
  return millis(step.at) - millis(start)
}

test('retries come after 10 s, 30 s, 2, 10 and 30 minutes, then hourly for 72 hours', () => {
  const delays = [1, 2, 3, 4, 5, 6, 40].map((attempt) => {
    const at = retryAt({ startedAt: start, attempt }, start, middle)
    return at && (millis(at) - millis(start)) / 1000
  })
  assert.deepEqual(delays, [10, 30, 120, 600, 1800, 3600, 3600])
  const late = { startedAt: start, attempt: 40 }
  assert.ok(retryAt(late, afterMs(71.9 * 60 * MINUTE_MS), middle))
  assert.equal(retryAt(late, afterMs(72 * 60 * MINUTE_MS), middle), undefined)
})

test('chance moves a retry by a fifth at most', () => {
  const first = { startedAt: start, attempt: 1 }
  assert.equal(
    retryAt(first, start, () => 0),
    afterMs(8000),
  )
  assert.equal(
    retryAt(first, start, () => 1),
    afterMs(12_000),
  )
})

test('with nothing known and nothing found the server is created', () => {
  const { step } = afterLook(fresh, { outcome: undefined, expected }, start, middle)
  assert.deepEqual(step, { step: 'create' })
})

test('a server that is found as expected is adopted, and nothing is uncertain any more', () => {
  const state = beforeCreate(fresh, start)
  const next = afterLook(state, { outcome: server, expected }, start, middle)
  assert.deepEqual(next.step, { step: 'adopt', server })
  assert.equal(next.state.uncertainSince, null)
})

for (const [what, other] of [
  ['another owner', { userId: 43 }],
  ['another egg', { eggId: 4 }],
  ['no address', { allocationId: null }],
] as const) {
  test(`a server with ${what} is not adopted but shown to an operator`, () => {
    const outcome = { ...server, ...other }
    const { step } = afterLook(fresh, { outcome, expected }, start, middle)
    assert.equal(step.step, 'fail')
    assert.ok(step.step === 'fail' && step.serverMayExist)
  })
}

test('after an unknown outcome only two looks far apart lead to a second create', () => {
  const lost = afterCreate(beforeCreate(fresh, start), fault('unknown_outcome'), start, middle)
  let { state, step } = lost
  const looks: number[] = []
  while (step.step === 'look') {
    looks.push(timeOf(step))
    ;({ state, step } = afterLook(state, { outcome: undefined, expected }, step.at, middle))
  }
  assert.deepEqual(looks, [5000, 30_000, UNCERTAIN_MS, 2 * UNCERTAIN_MS])
  assert.equal(step.step, 'create')
  assert.equal(state.uncertainSince, null)
})

test('a process that died while creating waits as for an unknown outcome', () => {
  const state = beforeCreate(fresh, start)
  const { step } = afterLook(state, { outcome: undefined, expected }, afterMs(1000), middle)
  assert.equal(step.step, 'look')
})

test('a look that fails proves nothing: the outcome stays unknown', () => {
  const state = { ...beforeCreate(fresh, start), absentAt: afterMs(UNCERTAIN_MS) }
  const outcome = fault('unavailable')
  const next = afterLook(state, { outcome, expected }, afterMs(2 * UNCERTAIN_MS), middle)
  assert.equal(next.step.step, 'retry')
  assert.equal(next.state.uncertainSince, start)
  assert.equal(next.state.attempt, 1)
})

test('the external id being taken leads to a look at once', () => {
  const { step } = afterCreate(
    beforeCreate(fresh, start),
    fault('already_exists', ['external_id']),
    afterMs(1000),
    middle,
  )
  assert.deepEqual(step, { step: 'look', at: afterMs(1000) })
})

const retries: [PanelErrorKind, number, boolean][] = [
  ['unavailable', 10_000, false],
  ['no_capacity', 10 * MINUTE_MS, true],
  ['no_allocation', 10 * MINUTE_MS, true],
  ['unauthorized', 10 * MINUTE_MS, true],
  ['forbidden', 10 * MINUTE_MS, true],
  ['misconfigured', 10 * MINUTE_MS, true],
]

for (const [kind, delayMs, alert] of retries) {
  test(`${kind} after a create is tried again, ${alert ? 'slowly and with' : 'without'} an alert`, () => {
    const { state, step } = afterCreate(beforeCreate(fresh, start), fault(kind), start, middle)
    assert.ok(step.step === 'retry')
    assert.deepEqual([timeOf(step), step.alert], [delayMs, alert])
    assert.equal(state.uncertainSince, null)
  })
}

test('a panel that names a time to wait is not asked before it', () => {
  const outcome = fault('rate_limited', [], 45_000)
  const { step } = afterCreate(beforeCreate(fresh, start), outcome, start, middle)
  assert.equal(timeOf(step), 45_000)
})

test('a taken allocation is replaced three times, then waited for', () => {
  const steps: string[] = []
  let state = fresh
  for (let create = 0; create < 4; create += 1) {
    const taken = fault('invalid', ['allocation.default'])
    const next = afterCreate(beforeCreate(state, start), taken, start, middle)
    state = next.state
    steps.push(next.step.step)
  }
  assert.deepEqual(steps, ['place_again', 'place_again', 'place_again', 'retry'])
})

test('values the panel refuses are for an operator, and no server exists', () => {
  const outcome = fault('invalid', ['environment.SERVER_JARFILE', 'allocation.default'])
  const { step } = afterCreate(beforeCreate(fresh, start), outcome, start, middle)
  assert.ok(step.step === 'fail')
  assert.equal(step.serverMayExist, false)
})

test('after 72 hours it is for an operator, who is told whether a server may exist', () => {
  const end = afterMs(72 * 60 * MINUTE_MS)
  for (const state of [fresh, beforeCreate(fresh, start)]) {
    const { step } = afterLook(state, { outcome: fault('unavailable'), expected }, end, middle)
    assert.ok(step.step === 'fail')
    assert.equal(step.serverMayExist, state.uncertainSince !== null)
  }
})

test('an installation is looked at ever more seldom, up to every two minutes', () => {
  const delays = [0, 1, 2, 3, 4, 5, 8, 50].map((polls) => millis(pollAt(polls, start)))
  assert.deepEqual(
    delays.map((at) => (at - millis(start)) / 1000),
    [0.5, 1, 2, 5, 10, 20, 120, 120],
  )
})

test('a failed installation is repeated once', () => {
  const failed = { status: 'install_failed' } as const
  const watch = { since: start, polls: 3, reinstalls: 0 }
  assert.equal(afterPoll(watch, failed, start).step, 'reinstall')
  assert.equal(afterPoll({ ...watch, reinstalls: 1 }, failed, start).step, 'fail')
})

test('an installation that never ends fails after an hour, a finished one is ready', () => {
  const watch = { since: start, polls: 3, reinstalls: 0 }
  const installing = { status: 'installing' } as const
  assert.equal(afterPoll(watch, installing, afterMs(59 * MINUTE_MS)).step, 'poll')
  const stuck = afterPoll(watch, installing, afterMs(60 * MINUTE_MS))
  assert.deepEqual(stuck, { step: 'fail', code: 'install_stuck' })
  assert.equal(afterPoll(watch, { status: 'installed' }, start).step, 'ready')
})

test('a server is brought to its desired state, and left alone in it', () => {
  const on = { status: 'installed' } as const
  const off = { status: 'suspended' } as const
  const steps = [
    reconcileStep('active', on),
    reconcileStep('active', off),
    reconcileStep('active', undefined),
    reconcileStep('suspended', on),
    reconcileStep('suspended', off),
    reconcileStep('terminated', on),
    reconcileStep('terminated', undefined),
  ]
  const wanted = ['nothing', 'unsuspend', 'missing', 'suspend', 'nothing', 'delete', 'nothing']
  assert.deepEqual(steps, wanted)
})
