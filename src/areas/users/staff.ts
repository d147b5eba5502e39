import type { Caller } from '#lib/caller.ts'
import { forbidden } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { findUser } from './queries.ts'
import { findSession } from './sessions/queries.ts'
import { securitySettings } from './settings.ts'

/**
 * Throws 403 `second_factor_required` for an administrator without a second factor if the shop
 * requires one, and for a session that has not shown it. An API key counts as its owner does.
 */
export async function admits(db: Db, caller: Caller): Promise<void> {
  const { tenantId, credentialId: sessionId } = caller
  const { staffSecondFactor } = await settingsOf(db, tenantId, securitySettings)
  if (!staffSecondFactor) return
  const user = await findUser(db, caller)
  if (!user?.mfaEnabledAt) throw forbidden('Set up a second factor first.', REQUIRED)
  if (caller.via !== 'session') return
  const session = await findSession(db, { tenantId, sessionId })
  if (!session?.secondFactorAt) throw forbidden('Sign in with your second factor.', REQUIRED)
}

const REQUIRED = 'second_factor_required'
