import { HOUR_MS, SECOND_MS } from '#lib/time.ts'
import { clientOf, findNode, forgetPanelUser } from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { job } from '#platform/jobs.ts'
import { nobody } from '#users'
import { findPanelAccount } from '../provisioning/queries.ts'
import { forgetPanelAccount } from '../work.ts'
import { deletePanelAccount } from './queries.ts'

/** Long enough to reach a panel that is unavailable for days. */
const PATIENCE = { retries: 30, retrySecondsMax: (6 * HOUR_MS) / SECOND_MS }

/**
 * Removes a person whose account has ended from their account on a panel: it is deleted or, if servers
 * whose data is kept belong to it, left without name and address. Then our record of it is deleted.
 */
export const forgetPanelAccountJob = job(
  forgetPanelAccount,
  async (context: JobContext, key) => {
    const { db, clock, transact } = context
    const account = await findPanelAccount(db, key)
    if (!account) return
    // If a server was being set up when its owner left, the account may be in creation now.
    if (account.leaseUntil !== null && account.leaseUntil > clock.now()) {
      throw new Error('The account is being made.')
    }
    // A connection that was deleted can no longer be used.
    if (await findNode(db, { tenantId: key.tenantId, id: key.nodeId })) {
      const client = await clientOf(context, db, key)
      await forgetPanelUser(client, account.externalId, nobody(key.userId))
    }
    await transact((tx) => deletePanelAccount(tx, key))
  },
  PATIENCE,
)
