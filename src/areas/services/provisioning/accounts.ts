import { newId } from '#lib/id.ts'
import {
  type Customer,
  ensurePanelUser,
  outcomeOf,
  type PanelClient,
  PanelError,
  type PanelFailure,
} from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { markTrial } from '#store'
import { findUser, type UserRow } from '#users'
import type { ServiceRow } from '../queries.ts'
import { leaseEnd } from './actions.ts'
import {
  findPanelAccount,
  leasePanelAccount,
  panelIdentity,
  releasePanelAccount,
} from './queries.ts'

/**
 * Finds, links or creates the customer's account on a panel and returns its number. Only one runs at a
 * time for each customer and panel, because panels let two at once create two accounts. A failure is
 * for staff.
 */
export async function panelUserFor(
  { db, transact, clock, secrets }: JobContext,
  { service, nodeId, client }: { service: ServiceRow; nodeId: string; client: PanelClient },
): Promise<number | PanelFailure | PanelError> {
  const { tenantId, userId } = service
  const key = { tenantId, nodeId, userId }
  const known = await findPanelAccount(db, key)
  if (known?.remoteUserId) return known.remoteUserId
  const user = await findUser(db, { tenantId, userId })
  const now = clock.now()
  if (!user || user.deletedAt)
    return { code: 'no_customer', detail: 'The customer is gone.', at: now }
  const lease = { now, until: leaseEnd(now) }
  const account = await transact((tx) =>
    leasePanelAccount(tx, { ...key, externalId: `cust-${newId()}` }, lease),
  )
  if (!account) {
    const detail = 'Another server of this customer is being set up.'
    return new PanelError('unavailable', { code: 'account_busy', detail })
  }
  const customer = customerOf(user, account.externalId)
  const found = await outcomeOf(ensurePanelUser(client, customer, Math.random))
  const ready = !(found instanceof PanelError) && found.outcome === 'ready'
  const remoteUserId = ready ? found.user.id : null
  const first = await transact(async (tx) => {
    await releasePanelAccount(tx, key, { remoteUserId, madeHere: ready && found.madeHere })
    if (remoteUserId === null || service.trialDays === 0 || !service.orderId) return true
    const { productId, orderId: reference } = service
    const identities = [panelIdentity(nodeId, remoteUserId)]
    return markTrial(tx, { tenantId, productId, reference, identities }, secrets, now)
  })
  if (found instanceof PanelError) return found
  if (!first) {
    const detail = 'Another customer has tried this product with the same account on the panel.'
    return { code: 'trial_used', detail, at: now }
  }
  if (found.outcome === 'ready') return found.user.id
  const detail = `Account ${found.panelUserId ?? ''} on the panel is in the way: ${found.reason}.`
  return { code: found.reason, detail, at: now }
}

function customerOf(user: UserRow, externalId: string): Customer {
  const [firstName = '', ...rest] = user.name.trim().split(/\s+/)
  return {
    externalId,
    email: user.email,
    emailVerified: user.emailVerifiedAt !== null,
    firstName: firstName || '-',
    lastName: rest.join(' ') || '-',
  }
}
