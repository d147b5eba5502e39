import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { deleteAllowances } from './allowances/queries.ts'
import { deleteConnections, deleteStarts } from './connections/queries.ts'
import { deleteLegacyPassword } from './imported/queries.ts'
import { deleteChallenges, deletePasskeys } from './passkeys/queries.ts'
import {
  deletePendingSignIns,
  deleteRecoveryCodes,
  deleteTotp,
  updateMfa,
} from './second-factors/queries.ts'
import { deleteGuesses } from './sign-in-throttling/queries.ts'

/** Deletes a person's sign-in methods other than the password, their linked accounts and sign-in networks. */
export async function eraseFactors(tx: Tx, key: UserKey): Promise<void> {
  await deleteLegacyPassword(tx, key)
  await deleteTotp(tx, key)
  await deleteRecoveryCodes(tx, key)
  await deletePendingSignIns(tx, key)
  await deleteChallenges(tx, key)
  await deletePasskeys(tx, key)
  await deleteConnections(tx, key)
  await deleteStarts(tx, key)
  await deleteGuesses(tx, key)
  await deleteAllowances(tx, key)
  await updateMfa(tx, key, null)
}
