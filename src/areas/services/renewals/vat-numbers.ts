import { DAY_MS, HOUR_MS, later } from '#lib/time.ts'
import type { JobContext } from '#platform/deps.ts'
import { schedule } from '#platform/jobs.ts'
import { taxSettings } from '#store'
import { settingsOf } from '#tenants'
import { isInRegister, recheckVatNumbers } from '#users'
import { listVatNumbersToRenew, type VatNumberToRenew } from './queries.ts'

/** How long before the invoice the register is asked: it may take hours to answer. */
const AHEAD_MS = DAY_MS
const BATCH = 500

/** Has outdated results for VAT numbers checked again before services are renewed (R2.4). */
export const recheckBeforeRenewal = schedule(
  'services.recheck-vat-numbers',
  HOUR_MS,
  async (context: JobContext) => {
    if (context.config.viesUrl === null) return
    const before = later(context.now, AHEAD_MS)
    let after: VatNumberToRenew | undefined
    for (;;) {
      const found = await listVatNumbersToRenew(context.db, { before, after }, BATCH)
      await recheckOld(context, found)
      after = found.at(-1)
      if (found.length < BATCH) return
    }
  },
)

async function recheckOld(
  { db, now, transact }: JobContext,
  found: readonly VatNumberToRenew[],
): Promise<void> {
  for (const [tenantId, people] of Map.groupBy(found, (it) => it.tenantId)) {
    const { viesDays } = await settingsOf(db, tenantId, taxSettings)
    const oldest = later(now, -viesDays * DAY_MS)
    const old = people.filter(
      ({ vatNumber, checkedAt }) =>
        vatNumber !== null && isInRegister(vatNumber) && (checkedAt === null || checkedAt < oldest),
    )
    const userIds = old.map(({ userId }) => userId)
    await transact((tx) => recheckVatNumbers(tx, { tenantId, userIds }, now))
  }
}
