import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { HOUR_MS, SECOND_MS } from '#lib/time.ts'
import { clientOf, findNode, forgetPanelUser } from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { job } from '#platform/jobs.ts'
import { nobody } from '#users'
import { findPanelAccount } from '../provisioning/queries.ts'
import { deletePanelAccount } from './queries.ts'

const Account = Type.Object({ tenantId: Id, nodeId: Id, userId: Id })

/** A panel that is away for days still hears of it. */
const PATIENCE = { retries: 30, retrySecondsMax: (6 * HOUR_MS) / SECOND_MS }

/**
 * Takes somebody whose account has ended out of their account on a panel: deleted there, or without
 * name and address where kept servers stand on it. What we know of that account goes after it.
 */
export const forgetPanelAccount = job(
  'services.forget-panel-account',
  Account,
  async (context: JobContext, key) => {
    const { db, clock, transact } = context
    const account = await findPanelAccount(db, key)
    if (!account) return
    // A server that was being set up when its person left may make the account this moment.
    if (account.leaseUntil !== null && account.leaseUntil > clock.now()) {
      throw new Error('The account is being made.')
    }
    // A connection that was deleted leads nowhere any more.
    if (await findNode(db, { tenantId: key.tenantId, id: key.nodeId })) {
      const client = await clientOf(context, db, key)
      await forgetPanelUser(client, account.externalId, nobody(key.userId))
    }
    await transact((tx) => deletePanelAccount(tx, key))
  },
  PATIENCE,
)
