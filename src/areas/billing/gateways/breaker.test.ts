import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Instant, instant, later } from '#lib/time.ts'
import { gatewayContext } from '#test/gateway-context.ts'
import { bankTransferGateway } from './bank-transfer/gateway.ts'
import { guarded, startBreaker } from './breaker.ts'
import type { PaymentGateway } from './contract.ts'
import { GatewayError, type GatewayErrorKind } from './error.ts'

const begin = instant('2030-01-08T00:00:00Z')

/** A driver whose answers are a list of errors, behind a breaker with a clock of its own. */
function driver() {
  const calls: string[] = []
  let now: Instant = begin
  let fault: GatewayErrorKind | null = null
  const inner: PaymentGateway = {
    ...bankTransferGateway(),
    fetchRefunds: async () => {
      calls.push('fetchRefunds')
      if (fault) throw new GatewayError(fault, 'away')
      return []
    },
    verifyCredentials: async () => {
      calls.push('verifyCredentials')
      return { accountId: 'account', mode: 'test' }
    },
  }
  const outer = guarded(inner, startBreaker(), () => now)
  return {
    calls,
    outer,
    ask: () => outer.fetchRefunds(gatewayContext(), {}),
    fail: (kind: GatewayErrorKind | null) => {
      fault = kind
    },
    pass: (ms: number) => {
      now = later(now, ms)
    },
  }
}

async function failing(it: ReturnType<typeof driver>, kind: GatewayErrorKind, times: number) {
  it.fail(kind)
  for (let call = 0; call < times; call += 1) await assert.rejects(it.ask(), { kind })
}

test('a provider that gave no answer eight times is left alone for half a minute (hardening 47)', async () => {
  const it = driver()
  await failing(it, 'unavailable', 8)
  await assert.rejects(it.ask(), { kind: 'unavailable' })
  assert.equal(it.calls.length, 8)
  it.pass(29_999)
  await assert.rejects(it.ask(), { kind: 'unavailable' })
  assert.equal(it.calls.length, 8)
})

test('after the pause one call tries, and the others wait for it', async () => {
  const it = driver()
  await failing(it, 'unknown_outcome', 8)
  it.pass(30_000)
  it.fail(null)
  const both = await Promise.allSettled([it.ask(), it.ask()])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  await it.ask()
})

test('a clock that is put back leaves nobody alone for longer (hardening 49)', async () => {
  const it = driver()
  await failing(it, 'unavailable', 8)
  it.pass(-3_600_000)
  it.fail(null)
  assert.deepEqual(await it.ask(), [])
})

test('a try that fails leaves the provider alone again', async () => {
  const it = driver()
  await failing(it, 'unavailable', 8)
  it.pass(30_000)
  await assert.rejects(it.ask())
  assert.equal(it.calls.length, 9)
  await assert.rejects(it.ask())
  assert.equal(it.calls.length, 9)
})

for (const kind of ['declined', 'credentials', 'rate_limited', 'not_found'] as const) {
  test(`${kind} is an answer and stops nothing`, async () => {
    const it = driver()
    await failing(it, 'unavailable', 7)
    await failing(it, kind, 1)
    await failing(it, 'unavailable', 7)
    it.fail(null)
    assert.deepEqual(await it.ask(), [])
  })
}

test('an administrator’s test goes through at once, and opens the way', async () => {
  const it = driver()
  await failing(it, 'unavailable', 8)
  await it.outer.verifyCredentials(gatewayContext())
  it.fail(null)
  assert.deepEqual(await it.ask(), [])
})

test('what a driver cannot do, it cannot do behind a breaker either', () => {
  const { outer } = driver()
  assert.equal(outer.chargeSaved, undefined)
  assert.equal('chargeSaved' in outer, false)
  assert.equal(outer.capabilities.checkout, 'instructions')
})
