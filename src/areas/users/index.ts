import type { Area } from '#platform/area.ts'
import { apiKeyAuthenticator } from './api-keys/authenticator.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { sendLink } from './auth/jobs.ts'
import { linkRoutes } from './auth/link-routes.ts'
import { authRoutes } from './auth/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { personalData } from './personal-data.ts'
import { profileRoutes } from './profile/routes.ts'
import { sessionAuthenticator } from './sessions/authenticator.ts'
import { forgetEnded } from './sessions/jobs.ts'
import { sessionRoutes } from './sessions/routes.ts'

export { createApiKey } from './api-keys/actions.ts'
export { setPassword } from './auth/actions.ts'
export { openMailedToken } from './auth/links.ts'
export { assertGuessResistant, hashPassword } from './auth/password.ts'
export { type PendingSignIn, type SignedInPerson, signInWithPassword } from './auth/sign-in.ts'
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
export { findUser, findUserByEmail, insertUser, lockUser, type UserRow } from './queries.ts'
export { assertInPerson, assertNotImpersonated } from './rules.ts'
export { NewPassword } from './schema.ts'
export { openSession } from './sessions/actions.ts'
export { deviceOf, signedInAnswers } from './sessions/answer.ts'
export { SignedIn } from './sessions/schema.ts'
export { accessTokens } from './sessions/token.ts'

export const users: Area = {
  name: 'users',
  routes: [authRoutes, linkRoutes, profileRoutes, sessionRoutes, apiKeyRoutes, peopleRoutes],
  jobs: [sendLink, forgetEnded],
  personalData,
  permissions: [
    { key: 'users:read', description: 'See people and their profiles' },
    { key: 'users:write', description: 'Change, suspend and unsuspend people' },
  ],
  authenticators: (deps) => [sessionAuthenticator(deps), apiKeyAuthenticator(deps)],
}
