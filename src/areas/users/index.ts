import type { Area } from '#platform/area.ts'
import { apiKeyAuthenticator } from './api-keys/authenticator.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { offerResetJob, sendLinkJob } from './auth/jobs.ts'
import { linkRoutes } from './auth/link-routes.ts'
import { openRequestedAccountJob } from './auth/requested.ts'
import { authRoutes } from './auth/routes.ts'
import { registrationOffer } from './auth/unconfirmed.ts'
import { offeredConnections } from './connections/offered.ts'
import { connectionRoutes } from './connections/routes.ts'
import { erase } from './deletion/actions.ts'
import { deletionRoutes } from './deletion/routes.ts'
import { factRoutes } from './facts/routes.ts'
import { impersonationRoutes } from './impersonation/routes.ts'
import { IMPERSONATE } from './impersonation/rules.ts'
import { impersonationSettings } from './impersonation/settings.ts'
import { sealedLegacyPasswords } from './imported/legacy.ts'
import { objectsAmong } from './named.ts'
import { noteRoutes } from './notes/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { passkeySignInRoutes } from './passkeys/sign-in-routes.ts'
import { accessRoutes } from './people/access-routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { personalData } from './personal-data.ts'
import { profileRoutes } from './profile/routes.ts'
import { sealedSeeds } from './second-factors/actions.ts'
import { secondFactorRoutes } from './second-factors/routes.ts'
import { sessionAuthenticator } from './sessions/authenticator.ts'
import { forgetEnded } from './sessions/jobs.ts'
import { sessionRoutes } from './sessions/routes.ts'
import {
  connectionSettings,
  limitSettings,
  registrationSettings,
  securitySettings,
} from './settings.ts'
import { admits } from './staff.ts'
import { timeline } from './timeline.ts'
import { checkVatNumberJob, findVatNumbersToCheck } from './vat/jobs.ts'

export { isWithin, spendAllowance } from './allowances/actions.ts'
export { createApiKey } from './api-keys/actions.ts'
export { isAllowedFrom } from './api-keys/addresses.ts'
export { listLiveApiKeys } from './api-keys/queries.ts'
export { assertAddressRanges, expiryOf } from './api-keys/rules.ts'
export { confirmOwnAddress, setPassword } from './auth/actions.ts'
export { isGuessable } from './auth/guessable.ts'
export { openMailedToken, VALID_MS as MAILED_TOKEN_MS } from './auth/links.ts'
export { assertGuessResistant, hashPassword } from './auth/password.ts'
export { assertMayChangeCredentials, NEEDS_PROOF } from './auth/proof.ts'
export {
  finishWithCode,
  type PendingSignIn,
  type SignedInPerson,
  type SignInRequest,
  signInWithPassword,
} from './auth/sign-in.ts'
export { confirmsBeforeSession } from './auth/unconfirmed.ts'
export {
  type BillingProfile,
  billingProfileOf,
  billingProfilesOf,
  firstNameIn,
  publicNameOf,
} from './billing.ts'
export { nobody } from './deletion/queries.ts'
export {
  accountConnected,
  accountDisconnected,
  emailChanged,
  emailChangeRequested,
  emailConfirmed,
  emailVerificationRequested,
  passkeyCopied,
  passwordChanged,
  passwordResetRequested,
  recoveryCodesMade,
  recoveryCodeUsed,
  refreshTokenReused,
  registrationAttempted,
  secondFactorAdded,
  secondFactorRemoved,
  userDeleted,
  userImpersonated,
  userRegistered,
  userSuspended,
  userUnsuspended,
  vatNumberRefused,
} from './events.ts'
export { impersonationSettings } from './impersonation/settings.ts'
export {
  type ImportedPassword,
  importPasswords,
  importUsers,
  removeImportedUsers,
} from './imported/actions.ts'
export {
  type ImportedFact,
  type ImportedUser,
  KEPT_OF_PEOPLE,
  lockImportedUsers,
  restoreImportedUsers,
  updateImportedUsers,
} from './imported/queries.ts'
export { NewNote, noteResource, noteViews } from './notes/schema.ts'
export { assertionIn, signInWithPasskey } from './passkeys/sign-in.ts'
export {
  COLUMNS as USER_COLUMNS,
  findUser,
  findUserByEmail,
  findUsers,
  insertUser,
  localesOf,
  lockUser,
  lockUserShared,
  namesOf,
  type UserRow,
} from './queries.ts'
export { assertNotImpersonated, isProven, statusOf as userStatusOf } from './rules.ts'
export { Moment, NewPassword, PHONE, User as UserFields, UserStatus } from './schema.ts'
export { Proof } from './second-factors/schema.ts'
export { openSession } from './sessions/actions.ts'
export {
  assertTransport,
  deviceOf,
  signedInAnswers,
  TransportField,
} from './sessions/answer.ts'
export { applicationTokens, type PageSession, pageSessions } from './sessions/page-session.ts'
export { listAddressesSince, listLiveSessions } from './sessions/queries.ts'
export { SignedIn } from './sessions/schema.ts'
export { accessTokens } from './sessions/token.ts'
export { limitSettings, type RegistrationMode } from './settings.ts'
export { siteOf } from './site.ts'
export { recheckVatNumbers } from './vat/actions.ts'
export { lookUpVatNumber } from './vat/answers.ts'
export { findVatCheck, lastVatChecks, type VatCheckRow } from './vat/queries.ts'
export { isInRegister } from './vat/rules.ts'
export { viewsOf as userViewsOf } from './views.ts'
export { sendLink } from './work.ts'

export const users: Area = {
  name: 'users',
  objectsAmong,
  routes: [
    ...[authRoutes, linkRoutes, profileRoutes, sessionRoutes, apiKeyRoutes],
    ...[deletionRoutes, peopleRoutes, accessRoutes, noteRoutes, factRoutes],
    impersonationRoutes,
    ...[secondFactorRoutes, passkeyRoutes, passkeySignInRoutes, connectionRoutes],
  ],
  jobs: [
    sendLinkJob,
    offerResetJob,
    openRequestedAccountJob,
    forgetEnded,
    checkVatNumberJob,
    findVatNumbersToCheck,
  ],
  settings: [
    ...[securitySettings, registrationSettings, connectionSettings],
    ...[impersonationSettings, limitSettings],
  ],
  sealed: [sealedSeeds, sealedLegacyPasswords],
  meta: async (db, tenantId) => ({
    signInMethods: ['password', 'passkey'],
    connections: await offeredConnections(db, tenantId),
    ...(await registrationOffer(db, tenantId)),
  }),
  admits,
  personalData,
  purposes: ['users.profile', 'users.marketing', 'users.sessions', 'users.notes'],
  timeline,
  erase,
  permissions: [
    { key: 'users:read', description: 'See people and their profiles' },
    { key: 'users:write', description: 'Change, suspend and unsuspend people' },
    { key: IMPERSONATE, description: 'View the shop as a customer for half an hour' },
  ],
  authenticators: (deps) => [sessionAuthenticator(deps), apiKeyAuthenticator(deps)],
}
