import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { deleteConnections, deleteStarts, listConnections } from '../connections/queries.ts'
import { accountDisconnected, secondFactorRemoved } from '../events.ts'
import { deleteChallenges, deletePasskeys, hasPasskey } from '../passkeys/queries.ts'
import {
  deletePendingSignIns,
  deleteRecoveryCodes,
  deleteTotp,
  deleteUnconfirmedTotp,
  findTotp,
  updateMfa,
} from '../second-factors/queries.ts'
import { cancelEmailChange, markLinksUsed } from './queries.ts'

/**
 * Cancels everything that was begun with a person's previous credentials and is not complete: a pending
 * address, mailed links, sign-ins that wait for a second factor, a factor or passkey that is being
 * enrolled, and accounts elsewhere that are being linked. Every change of a credential calls it, so that
 * another person cannot complete afterwards what they began.
 */
export async function cancelPending(tx: Tx, key: UserKey, now: Instant): Promise<void> {
  await cancelEmailChange(tx, key)
  await markLinksUsed(tx, { ...key, purpose: 'verify' }, now)
  await markLinksUsed(tx, { ...key, purpose: 'reset' }, now)
  await deletePendingSignIns(tx, key)
  await deleteChallenges(tx, key)
  await deleteUnconfirmedTotp(tx, key)
  await deleteStarts(tx, key)
}

/**
 * Removes every second factor, passkey and linked account of a person whose address was never
 * confirmed: the person who added them did not prove that the address is theirs.
 */
export async function removeUnproven(tx: Tx, key: UserKey): Promise<void> {
  const { tenantId, userId } = key
  const factors = [
    ...((await findTotp(tx, key))?.confirmedAt ? (['totp'] as const) : []),
    ...((await hasPasskey(tx, key)) ? (['passkey'] as const) : []),
  ]
  const connections = await listConnections(tx, key)
  await deleteTotp(tx, key)
  await deletePasskeys(tx, key)
  await deleteRecoveryCodes(tx, key)
  await deleteConnections(tx, key)
  await updateMfa(tx, key, null)
  for (const factor of factors) await emit(tx, secondFactorRemoved, { tenantId, userId, factor })
  for (const { provider, name } of connections) {
    await emit(tx, accountDisconnected, { tenantId, userId, provider, name })
  }
}
