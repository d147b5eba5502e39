import type { Area } from '#platform/area.ts'
import { apiKeyAuthenticator } from './api-keys/authenticator.ts'
import { sessionAuthenticator } from './sessions/authenticator.ts'

export { createApiKey } from './api-keys/actions.ts'
export { type BillingProfile, billingProfileOf, publicNameOf } from './billing.ts'
export {
  emailChanged,
  emailChangeRequested,
  emailVerificationRequested,
  passwordChanged,
  passwordResetRequested,
  refreshTokenReused,
  userDeleted,
  userRegistered,
  userSuspended,
  userUnsuspended,
} from './events.ts'
export { findUser, insertUser, lockUser, type UserRow } from './queries.ts'
export { openSession } from './sessions/actions.ts'
export { accessTokens } from './sessions/token.ts'

export const users: Area = {
  name: 'users',
  authenticators: (deps) => [sessionAuthenticator(deps), apiKeyAuthenticator(deps)],
}
