import { listInvoicesById, partsOfAll } from '#billing'
import { type Cents, sumCents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { adminViewsOf } from '../admin-view.ts'
import { lateDeliveriesOf } from '../deliveries/queries.ts'
import { provisioningOf } from '../provisioning/queries.ts'
import type { ServiceView } from '../queries.ts'
import { shareOf } from '../shares.ts'
import { transitionsOf } from '../states/queries.ts'
import { refusedWarningsOf } from '../suspension-notices/queries.ts'
import { upgradesUnderWay } from '../upgrades/queries.ts'
import { listInvoicesOf, listUnits } from './queries.ts'
import { troublesOf } from './rules.ts'
import type { TroubledService } from './schema.ts'

/** Services as the operators' queue shows them: what is wrong, and what was paid. */
export async function troubledViewsOf(
  db: Db,
  tenantId: string,
  services: readonly ServiceView[],
  now: Instant,
): Promise<TroubledService[]> {
  const ids = services.map(({ id }) => id)
  const views = await adminViewsOf(db, tenantId, services, now)
  const provisioning = await provisioningOf(db, tenantId, ids)
  const transitions = await transitionsOf(db, tenantId, ids)
  const upgrades = await upgradesUnderWay(db, tenantId, ids)
  const unwarned = await refusedWarningsOf(db, tenantId, ids)
  const deliveries = await lateDeliveriesOf(db, tenantId, ids)
  const paid = await paidForEach(db, tenantId, services)
  return services.map((service, index) => {
    const upgrade = upgrades.get(service.id)
    const facts = {
      ...service,
      isUnmanaged: service.serverId !== null && service.nodeId === null,
      provisioning: provisioning.get(service.id),
      transition: transitions.get(service.id),
      delivery: deliveries.get(service.id),
      unwarnedSince: unwarned.get(service.id) ?? null,
      upgrade: upgrade?.paidAt ? { ...upgrade, startedAt: upgrade.paidAt } : undefined,
    }
    const view = views[index]
    if (!view) throw new Error('A service has no view')
    return { ...view, troubles: troublesOf(facts, now), paidCents: paid.get(service.id) ?? NONE }
  })
}

const NONE = sumCents([])

/** What was paid for each of these services: their shares of paid invoices. */
async function paidForEach(
  db: Db,
  tenantId: string,
  services: readonly ServiceView[],
): Promise<Map<string, Cents>> {
  const ids = services.map(({ id }) => id)
  const made = await listInvoicesOf(db, tenantId, ids)
  const invoiceIds = [...new Set(made.map(({ invoiceId }) => invoiceId))]
  const invoices = await listInvoicesById(db, tenantId, invoiceIds)
  const paid = new Set(invoices.filter(({ status }) => status === 'paid').map(({ id }) => id))
  const { lines } = await partsOfAll(db, tenantId, [...paid])
  const linesOf = Map.groupBy(lines, ({ invoiceId }) => invoiceId)
  const units = await listUnits(db, tenantId, ids)
  const ownInvoices = Map.groupBy(made, ({ serviceId }) => serviceId)
  return new Map(
    services.map((service) => {
      const own = (ownInvoices.get(service.id) ?? []).map(({ invoiceId }) =>
        shareOf(service, linesOf.get(invoiceId) ?? [], units),
      )
      return [service.id, sumCents(own)]
    }),
  )
}
