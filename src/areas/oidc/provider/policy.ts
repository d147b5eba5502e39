import { interactionPolicy } from 'oidc-provider'
import type { Db } from '#platform/database/index.ts'
import { findUser } from '#users'
import { REQUIRE_VERIFIED_EMAIL } from './metadata.ts'

/** The step of a sign-in that asks the person to confirm their address. */
export const CONFIRM_EMAIL = 'confirm_email'

/**
 * The steps of a sign-in: who it is, whether their address is confirmed if the client requires it, and what
 * the client may have. Otherwise clients that link accounts by address would open another person's account to
 * anyone who registers here with that person's address.
 */
export function signInPolicy(db: Db, tenantId: string): interactionPolicy.DefaultPolicy {
  const { base, Check, Prompt } = interactionPolicy
  const policy = base()
  const unconfirmed = new Check(
    'email_not_verified',
    'the address of the person is not confirmed',
    'interaction_required',
    async ({ oidc: { client, session } }) => {
      if (client?.[REQUIRE_VERIFIED_EMAIL] !== true || !session?.accountId) return false
      const user = await findUser(db, { tenantId, userId: session.accountId })
      return !user?.emailVerifiedAt
    },
  )
  policy.add(new Prompt({ name: CONFIRM_EMAIL, requestable: false }, unconfirmed), 1)
  return policy
}
