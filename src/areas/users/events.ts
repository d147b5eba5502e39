import { Type } from 'typebox'
import { Email, Id, Locale, Nullable, OneOf } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

const Person = { tenantId: Id, userId: Id }

/** Somebody opened an account. Who brought them, if they said so or their browser knew. */
export const userRegistered = event(
  'users.registered',
  Type.Object({
    ...Person,
    referralCode: Nullable(Type.String()),
    visitorToken: Nullable(Type.String()),
  }),
)

/** Somebody tried to open an account with the address of this person. */
export const registrationAttempted = event('users.registration-attempted', Type.Object(Person))

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

/** Somebody asked for another address: the present one is told. `changeId` is of this wish only. */
export const emailChangeRequested = event(
  'users.email-change-requested',
  Type.Object({
    ...Person,
    changeId: Id,
    email: Email,
    newEmail: Email,
    name: Type.String(),
    locale: Locale,
  }),
)
/** Another address took the place of the old one, which is told. */
export const emailChanged = event(
  'users.email-changed',
  Type.Object({ ...Person, changeId: Id, oldEmail: Email, email: Email }),
)
/** Somebody followed a link that was mailed to their address: it is there, and theirs. */
export const emailConfirmed = event('users.email-confirmed', Type.Object(Person))
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

/** The EU's register does not know the VAT number of somebody (any more). */
export const vatNumberRefused = event('users.vat-number-refused', Type.Object(Person))

const Factor = OneOf(['totp', 'passkey'])

export const secondFactorAdded = event(
  'users.second-factor-added',
  Type.Object({ ...Person, factor: Factor }),
)
export const secondFactorRemoved = event(
  'users.second-factor-removed',
  Type.Object({ ...Person, factor: Factor }),
)
export const recoveryCodesMade = event('users.recovery-codes-made', Type.Object(Person))
/** Somebody signed in with a recovery code; so many are left. */
export const recoveryCodeUsed = event(
  'users.recovery-code-used',
  Type.Object({ ...Person, left: Type.Integer() }),
)
/** A passkey's counter went back: there are two of it, and one is not the person's. */
export const passkeyCopied = event(
  'users.passkey-copied',
  Type.Object({ ...Person, passkeyId: Id, name: Type.String() }),
)

const Connected = Type.Object({ ...Person, provider: Type.String(), name: Type.String() })

export const accountConnected = event('users.account-connected', Connected)
export const accountDisconnected = event('users.account-disconnected', Connected)
