import { HOUR_MS } from '#lib/time.ts'
import { notifyAdmins } from '#notifications'
import { eggsChanged, listEggsByIds, provisioningFaults } from '#panel'
import { transact } from '#platform/database/index.ts'
import { onEvent } from '#platform/events.ts'
import { schedule } from '#platform/jobs.ts'
import { listTenantIds } from '#tenants'
import { offeredFaults } from '../options/offer.ts'
import { listProductsOfEggs } from './queries.ts'
import { reviewProducts } from './sellable.ts'

/** Checks again what is sold, because a new release may judge differently from the one before. */
export const reviewOffers = schedule(
  'store.review-offers',
  HOUR_MS,
  async ({ db, database, now, signal }) => {
    for (const tenantId of await listTenantIds(db)) {
      if (signal.aborted) return
      await transact(database.of(tenantId), (tx) => reviewProducts(tx, { tenantId }, now))
    }
  },
)

/** Notifies admins of changed eggs that products are made of, and of what the change breaks. */
export const tellOfEggs = onEvent(
  eggsChanged,
  'store.tell-of-eggs',
  async ({ db, now, transact }, { tenantId, eggIds }) => {
    const products = await listProductsOfEggs(db, tenantId, eggIds)
    if (products.length === 0) return
    const used = new Set(products.map(({ provisioning }) => provisioning?.eggId))
    const eggs = (await listEggsByIds(db, tenantId, eggIds)).filter(({ id }) => used.has(id))
    const sold = products.map(({ provisioning }) => provisioning)
    const faults = await provisioningFaults(db, tenantId, sold)
    const ofOptions = await offeredFaults(db, tenantId, products)
    const facts = {
      eggs: eggs.map(({ name }) => name),
      products: products.map(({ name }, index) => {
        const all = [...(faults[index] ?? []), ...(ofOptions[index] ?? [])]
        const wrong = all.map(({ path, message }) => `${path} ${message}`)
        return { name, faults: wrong.join('; ') }
      }),
    }
    const [first] = eggs
    const link = first ? `/admin/eggs/${first.id}` : '/admin/eggs'
    const attention = { tenantId, topic: 'eggs_changed' as const, facts, link }
    await transact((tx) => notifyAdmins(tx, attention, now))
  },
)
