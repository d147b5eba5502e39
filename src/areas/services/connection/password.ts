import { conflict } from '#lib/problem.ts'
import { clientOf, type PanelDeps, PanelError } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { randomToken } from '#platform/secrets.ts'
import { panelProblem } from '../live-status/problems.ts'
import { findPanelAccount } from '../provisioning/queries.ts'
import type { ServiceView } from '../queries.ts'
import { assertActive, assertServer } from '../rules.ts'

/** 144 bits, as 24 characters. */
const CHARACTERS = 24

/**
 * Sets a random password for the owner's account on the panel of a service, and returns it once. Repeating it sets
 * another one. Throws 409 without an account, for one that this service has not created, and for one that administers
 * the panel; 502 while the panel is unavailable.
 */
export async function renewPanelPassword(
  deps: PanelDeps,
  db: Db,
  service: ServiceView,
  { tenantId, userId }: UserKey,
) {
  assertServer(service)
  assertActive(service)
  const { nodeId, nodeUrl } = service
  if (!nodeId || !nodeUrl) {
    throw conflict('This service has no server on a connected panel.', 'unmanaged')
  }
  const account = await findPanelAccount(db, { tenantId, nodeId, userId })
  if (account?.remoteUserId == null) throw noAccount()
  if (!account.madeHere) {
    throw conflict(
      'This panel account existed before. Reset its password on the panel.',
      'panel_account_not_ours',
    )
  }
  try {
    const client = await clientOf(deps, db, { tenantId, nodeId })
    const user = await client.findUserByExternalId(account.externalId)
    if (!user) throw noAccount()
    if (user.rootAdmin) {
      throw conflict(
        'This account administers the panel. Its password is changed on the panel only.',
        'panel_administrator',
      )
    }
    const password = randomToken().slice(0, CHARACTERS)
    await client.setPassword(user, password)
    return { username: user.username, email: user.email, password, url: nodeUrl }
  } catch (error) {
    if (!(error instanceof PanelError)) throw error
    throw panelProblem(error)
  }
}

function noAccount() {
  return conflict('There is no account on the panel for this service yet.', 'no_panel_account')
}
