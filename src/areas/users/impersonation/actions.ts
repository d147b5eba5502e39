import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { conflict } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { userImpersonated } from '../events.ts'
import { lockTarget, type Target } from '../people/actions.ts'
import { assertNotImpersonated } from '../rules.ts'
import { insertSession } from '../sessions/queries.ts'
import { assertMayImpersonate, impersonationEnd } from './rules.ts'

export type Impersonation = { sessionId: string; expiresAt: Instant }

/**
 * Opens a session in which the caller acts as another person, without a refresh token. It ends with
 * the caller's own session or API key. Throws 403 if the caller acts as another person already, and for staff
 * unless the caller may do everything; 404 if there is no such person, 409 for oneself and for a suspended person.
 */
export async function impersonate(
  tx: Tx,
  caller: Caller,
  { reason, ...target }: Target & { reason: string },
  now: Instant,
): Promise<Impersonation> {
  assertNotImpersonated(caller)
  const { tenantId, userId: impersonatorId, credentialId, via } = caller
  const { userId } = target
  if (userId === impersonatorId) throw conflict('This is your own account.', 'own_account')
  const user = await lockTarget(tx, caller, target)
  assertMayImpersonate(caller.permissions, target.permissions)
  if (user.suspendedAt) throw conflict('This account is suspended.', 'account_suspended')
  const sessionId = newId()
  const expiresAt = impersonationEnd(now)
  await insertSession(tx, {
    ...{ tenantId, id: sessionId, userId, impersonatorId, impersonationReason: reason },
    impersonatorSessionId: via === 'session' ? credentialId : null,
    impersonatorKeyId: via === 'apiKey' ? credentialId : null,
    // The administrator's address is hidden from the person, who sees this session in a list.
    ...{ address: null, userAgent: null, secondFactorAt: null },
    ...{ createdAt: now, refreshedAt: now, expiresAt, revokedAt: null },
  })
  await emit(tx, userImpersonated, { tenantId, userId, impersonatorId, sessionId })
  return { sessionId, expiresAt }
}
