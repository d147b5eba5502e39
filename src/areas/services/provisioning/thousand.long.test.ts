import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { createServices, type NewService, startServices } from '../actions.ts'

/** Twenty times the pace of a usual panel, so that the test takes minutes and not half an hour. */
const LIMIT = 240 * 20
const MANY = 900
const FEW = 100
const WAIT_MS = 175_000

const shop = await gameShop({
  panel: {
    ...{ installSeconds: 0, rateLimits: { application: LIMIT } },
    ...{ memory: 10_000_000, disk: 100_000_000, portsPerNode: 2000 },
  },
})
const { app, db, tenantId, panel } = shop
const { product, plan } = await shop.server({}, { interval: 'one_time' })

/** An order of many services that is yet to be paid. */
async function orderOf(customer: Person, count: number) {
  const placed = await shop.order(customer, plan.id)
  const { userId } = customer
  const orderItemId = newId()
  const services: NewService[] = Array.from({ length: count }, (_, n) => ({
    ...{ id: newId(), orderItemId, productId: product.id, planId: plan.id },
    ...{ name: `Server ${n}`, environment: {}, priceCents: cents(1000), valueCents: cents(1000) },
    ...{ currency: 'EUR', interval: 'one_time', intervalCount: 1, trialDays: 0 },
    ...{ priceMicros: null, setupFeeCents: cents(0), coupons: [] },
  }))
  const order = { tenantId, userId, orderId: newId(), invoiceId: placed.invoice.id }
  return { order: { ...order, immediateStart: false }, services }
}

/** Pays orders one after the other, in one transaction: no server is begun before the last is paid. */
async function payTogether(orders: readonly Awaited<ReturnType<typeof orderOf>>[]): Promise<void> {
  const now = app.deps.clock.now()
  await transact(
    db,
    async (tx) => {
      for (const { order, services } of orders) {
        await createServices(tx, order, services, now)
        await startServices(tx, { ...order, paidAt: now }, now)
      }
    },
    null,
  )
}

/** What the panel refused because it was asked too often. */
async function refusedRequests(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${panel.controlToken}` }
  const response = await fetch(`${panel.url}/_sandbox/journal`, { headers })
  const { entries } = (await response.json()) as { entries: { status: number | null }[] }
  return entries.filter(({ status }) => status === 429)
}

async function activeOf({ userId }: Person): Promise<number> {
  const { count } = await db
    .selectFrom('services.services')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('activatedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

test('a thousand servers are made at the pace of their panel, and nobody waits behind one customer', async () => {
  const [whale, minnow] = [await shop.customer(), await shop.customer()]
  await payTogether([await orderOf(whale, MANY), await orderOf(minnow, FEW)])
  const wait = { waitMs: WAIT_MS, everyMs: 500 }
  await until('the few are made', async () => (await activeOf(minnow)) === FEW, wait)
  const meanwhile = await activeOf(whale)
  assert.ok(meanwhile < MANY / 2, `the few waited for ${meanwhile} of the many`)
  await until('all are made', async () => (await activeOf(whale)) === MANY, wait)
  assert.deepEqual(await refusedRequests(), [], 'the panel never had to say 429')
  const tried = await db
    .selectFrom('services.provisioning')
    .select('serviceId')
    .where('attempt', '>', 0)
    .execute()
  assert.equal(tried.length, 0, 'the panel refused nothing')
  const made = (await shop.servers()).map((it) => it.externalId)
  assert.deepEqual([made.length, new Set(made).size], [MANY + FEW, MANY + FEW])
})
