import { Type } from 'typebox'
import { Email, Id, Locale, Nullable, OneOf } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

const Person = { tenantId: Id, userId: Id }

/** A person opened an account. Includes who referred them, if they named a code or their browser had a visit. */
export const userRegistered = event(
  'users.registered',
  Type.Object({
    ...Person,
    referralCode: Nullable(Type.String()),
    visitorToken: Nullable(Type.String()),
  }),
)

/** Someone tried to open an account with this person's address. */
export const registrationAttempted = event('users.registration-attempted', Type.Object(Person))

/** A link is to be sent. `sealedToken` opens with `openMailedToken`; only its hash is in the database. */
const Mailed = Type.Object({
  ...Person,
  emailTokenId: Id,
  email: Email,
  name: Type.String(),
  locale: Locale,
  sealedToken: Type.String(),
  /** Whether the link sets the first password of an account that staff created. */
  isWelcome: Type.Optional(Type.Boolean()),
})

export const emailVerificationRequested = event('users.email-verification-requested', Mailed)
export const passwordResetRequested = event('users.password-reset-requested', Mailed)

/** A person asked to change their address: the present one is notified. `changeId` is new for each request. */
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
/** A new address replaced the old one, and the old one is notified. */
export const emailChanged = event(
  'users.email-changed',
  Type.Object({ ...Person, changeId: Id, oldEmail: Email, email: Email }),
)
/** A person followed a link that was mailed to their address: the address exists and is theirs. */
export const emailConfirmed = event('users.email-confirmed', Type.Object(Person))
export const passwordChanged = event('users.password-changed', Type.Object(Person))

/** A refresh token was used again after it was exchanged: all tokens of its session were revoked. */
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
/** The account was deleted and the person's data anonymized; what the law requires is kept. */
export const userDeleted = event('users.deleted', Type.Object(Person))

/** The EU's register does not know a person's VAT number, or no longer does. */
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
/** A person signed in with a recovery code; `left` is how many remain. */
export const recoveryCodeUsed = event(
  'users.recovery-code-used',
  Type.Object({ ...Person, left: Type.Integer() }),
)
/** A passkey's counter went back: there are two copies of it, and one is not the person's. */
export const passkeyCopied = event(
  'users.passkey-copied',
  Type.Object({ ...Person, passkeyId: Id, name: Type.String() }),
)

const Connected = Type.Object({ ...Person, provider: Type.String(), name: Type.String() })

export const accountConnected = event('users.account-connected', Connected)
export const accountDisconnected = event('users.account-disconnected', Connected)
