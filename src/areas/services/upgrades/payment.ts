import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { confirmStock, releaseStock } from '#store'
import { applyUpgrade } from '../work.ts'
import { lockUpgrade, type UpgradeKey, type UpgradeRow, updateUpgrade } from './queries.ts'

/**
 * The change is paid, or costs nothing: the panel comes next. A change that was given up stays so. Returns false if
 * stock that it needs was sold to others meanwhile; then nothing has changed.
 */
export async function startUpgrade(tx: Tx, key: UpgradeKey, now: Instant): Promise<boolean> {
  const upgrade = await lockUpgrade(tx, key)
  if (!upgrade || upgrade.paidAt || upgrade.canceledAt || upgrade.failedAt) return true
  const { tenantId, id: reference } = key
  if (!(await confirmStock(tx, { tenantId, reference }, now))) return false
  await updateUpgrade(tx, key, { paidAt: now, nextAt: now })
  await enqueue(tx, applyUpgrade, { tenantId, upgradeId: key.id })
  return true
}

/** The change was not paid: the service stays as it is. Does nothing if the change has another invoice by now. */
export async function cancelUpgrade(
  tx: Tx,
  { invoiceId, ...key }: UpgradeKey & Pick<UpgradeRow, 'invoiceId'>,
  now: Instant,
): Promise<void> {
  const upgrade = await lockUpgrade(tx, key)
  if (!upgrade || upgrade.paidAt || upgrade.canceledAt) return
  if (upgrade.invoiceId !== invoiceId) return
  await updateUpgrade(tx, key, { canceledAt: now })
  await releaseStock(tx, { tenantId: key.tenantId, reference: key.id }, now)
}
