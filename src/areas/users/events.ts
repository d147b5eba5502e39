import { Type } from 'typebox'
import { Email, Id, Locale, Nullable } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

const Person = { tenantId: Id, userId: Id }

export const userRegistered = event(
  'users.registered',
  Type.Object({ ...Person, referralCode: Nullable(Type.String()) }),
)

/** A link is to be sent. `sealedToken` opens with `openMailedToken`; only its hash is in the database. */
const Mailed = Type.Object({
  ...Person,
  emailTokenId: Id,
  email: Email,
  name: Type.String(),
  locale: Locale,
  sealedToken: Type.String(),
})

export const emailVerificationRequested = event('users.email-verification-requested', Mailed)
export const passwordResetRequested = event('users.password-reset-requested', Mailed)

/** Somebody asked for another address: the present one is told. */
export const emailChangeRequested = event(
  'users.email-change-requested',
  Type.Object({ ...Person, email: Email, newEmail: Email, name: Type.String(), locale: Locale }),
)
export const emailChanged = event(
  'users.email-changed',
  Type.Object({ ...Person, oldEmail: Email, email: Email }),
)
export const passwordChanged = event('users.password-changed', Type.Object(Person))

/** An old refresh token came back: all tokens of its session were revoked. */
export const refreshTokenReused = event(
  'users.refresh-token-reused',
  Type.Object({ ...Person, sessionId: Id }),
)
export const userSuspended = event('users.suspended', Type.Object(Person))
export const userUnsuspended = event('users.unsuspended', Type.Object(Person))
/** An administrator has begun to act as this person. */
export const userImpersonated = event(
  'users.impersonated',
  Type.Object({ ...Person, impersonatorId: Id, sessionId: Id }),
)
/** The account was deleted and the person's data made anonymous; what the law keeps stays. */
export const userDeleted = event('users.deleted', Type.Object(Person))
