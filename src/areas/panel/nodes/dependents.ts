import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'

/**
 * Lets areas that depend on this one react, in the same transaction, to changed connections or
 * eggs.
 */
export async function notifyDependents(
  { areas }: Pick<Deps, 'areas'>,
  tx: Tx,
  tenantId: string,
  now: Instant,
): Promise<void> {
  for (const area of areas) await area.panelsChanged?.(tx, tenantId, now)
}
