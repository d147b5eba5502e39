import { Type } from 'typebox'
import { Body, Nullable, Timestamp } from '#lib/schema.ts'
import { Password } from '../schema.ts'

/** Six digits of the authenticator app, or a recovery code as people type it. */
export const Code = Type.String({ minLength: 1, maxLength: 50 })

/** What shows that it is the person who asks: nothing else is needed shortly after the sign-in. */
export const Proof = Body({ currentPassword: Type.Optional(Password) })

export const Totp = Type.Object({
  enabled: Type.Boolean(),
  enabledAt: Nullable(Timestamp),
  recoveryCodesLeft: Type.Integer(),
})

export const StartedTotp = Type.Object({
  secret: Type.String({ description: 'In base 32, for who cannot read the QR code' }),
  uri: Type.String({ description: 'For the QR code: otpauth://…' }),
})

export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each signs in once in place of the second factor. Shown this once',
})
