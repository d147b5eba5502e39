import { newId } from '#lib/id.ts'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { type ChangedOption, confirmStock, releaseOrderStock, reserveStock } from '#store'
import { type ServiceRow, updateService } from '../queries.ts'
import { valuesTaken } from './rules.ts'

type Scheduling = Pick<ServiceRow, 'tenantId' | 'id' | 'components' | 'scheduledOptions'>

/**
 * Stores on a locked service which options change with its next period, instead of those scheduled before. Units of
 * their values are taken from stock until then. Throws 422 `out_of_stock`.
 */
export async function replaceScheduled(
  tx: Tx,
  service: Scheduling,
  options: readonly ChangedOption[],
  now: Instant,
): Promise<void> {
  const { tenantId, components, scheduledOptions } = service
  if (!scheduledOptions && options.length === 0) return
  if (scheduledOptions)
    await releaseOrderStock(tx, { tenantId, reference: scheduledOptions.id }, now)
  const id = newId()
  const items = unitsOf(components, options)
  await reserveStock(tx, { tenantId, reference: id, items, heldUntil: later(now, MINUTE_MS) }, now)
  await confirmStock(tx, { tenantId, reference: id }, now)
  const scheduled = options.length > 0 ? { id, options: [...options] } : null
  await updateService(tx, service, { scheduledOptions: scheduled })
}

/** The units of values that a service takes with changed options, and does not have yet. */
export function unitsOf(
  components: ServiceRow['components'],
  changed: readonly ChangedOption[],
): ReturnType<typeof valuesTaken> {
  const had = new Set(components.map(({ valueId }) => valueId))
  return valuesTaken(changed.map(({ component }) => component)).filter((it) => !had.has(it.valueId))
}
