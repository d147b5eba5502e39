import { openInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { createServices, startServices } from '#services'
import { insertUser } from '#users'
import { until } from './app.ts'
import { documentOf } from './billing-shop.ts'
import type { GameShop } from './game-shop.ts'
import type { Made } from './shop.ts'

const SECONDS = 5

/**
 * Paid services of a new customer, all queued for their servers in one transaction: what a thousand
 * payments do, without the payments. Answers the customer's id.
 */
export async function queueServers(
  { app, tenantId, inLedger }: GameShop,
  { product, plan }: { product: Made; plan: Made },
  count: number,
): Promise<string> {
  const [userId, orderId, orderItemId] = [newId(), newId(), newId()]
  const now = app.deps.clock.now()
  await inLedger(async (tx) => {
    const email = `${userId}@example.org`
    const person = { name: 'Ada Lovelace', country: 'FR', passwordHash: null, emailVerifiedAt: now }
    await insertUser(tx, { tenantId, id: userId, email, createdAt: now, ...person })
    const about = { tenantId, userId, kind: 'checkout' as const, reference: orderId }
    const document = documentOf([{ totalCents: 1200 * count, rate: 2000 }])
    const { id: invoiceId } = await openInvoice(tx, { ...about, document, dueAt: now }, now)
    const order = { tenantId, userId, orderId, invoiceId, immediateStart: false }
    const sold = { productId: product.id, planId: plan.id, orderItemId, name: 'Server' }
    const price = { priceCents: cents(1000), valueCents: cents(1000), priceMicros: null }
    const services = Array.from({ length: count }, () => ({
      ...{ ...sold, ...price, id: newId(), environment: {}, currency: 'EUR' },
      ...{ interval: 'month' as const, intervalCount: 1, trialDays: 0 },
      ...{ setupFeeCents: cents(0), coupons: [], locationId: null },
    }))
    await createServices(tx, order, services, now)
    await startServices(tx, { tenantId, orderId, paidAt: now, startsAt: null }, now)
  })
  return userId
}

/** Who has how many active servers. */
export async function activeOf({ db, tenantId }: GameShop): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('services.services')
    .select(['userId', ({ fn }) => fn.countAll<number>().as('count')])
    .where('tenantId', '=', tenantId)
    .where('activatedAt', 'is not', null)
    .groupBy('userId')
    .execute()
  return new Map(rows.map(({ userId, count }) => [userId, Number(count)]))
}

/**
 * Lets time go by in small steps, here and on the panel, all work in between done, until `look` is
 * satisfied. Answers how many seconds went by.
 */
export async function timeUntil(
  { app, panel }: GameShop,
  look: () => Promise<boolean>,
): Promise<number> {
  const nowMs = () => app.deps.clock.offsetMs + performance.now()
  const startedMs = nowMs()
  for (;;) {
    await until('the work that can be done is done', () => isQuiet(app), { waitMs: 60_000 })
    if (await look()) break
    await panel.post('clock', { advanceSeconds: SECONDS })
    await app.advance(SECONDS)
  }
  return (nowMs() - startedMs) / 1000
}

async function isQuiet({ deps }: GameShop['app']): Promise<boolean> {
  const { rows } = await deps.database.execute(
    `select from jobs.job where name = 'services.provision'
       and (state = 'active' or state in ('created', 'retry') and start_after <= now()) limit 1`,
  )
  return rows.length === 0
}
