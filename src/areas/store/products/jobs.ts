import { notifyAdmins } from '#notifications'
import { eggsChanged, listEggsByIds, provisioningFaults } from '#panel'
import { onEvent } from '#platform/events.ts'
import { listProductsOfEggs } from './queries.ts'

/** Tells of eggs that products are made of and that are others by now, and of what that breaks. */
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
    const lines = products.map(({ name }, index) => {
      const wrong = (faults[index] ?? []).map(({ path, message }) => `${path} ${message}`)
      return `${name}: ${wrong.join('; ') || 'can be made as before'}`
    })
    const detail = [`Eggs: ${eggs.map(({ name }) => name).join(', ')}`, ...lines].join('\n')
    const broken = faults.some(({ length }) => length > 0)
    const subject = broken
      ? 'A changed egg keeps servers of products from being made'
      : 'An egg of products has changed'
    const [first] = eggs
    const link = first ? `/admin/eggs/${first.id}` : '/admin/eggs'
    await transact((tx) => notifyAdmins(tx, { tenantId, subject, detail, link }, now))
  },
)
