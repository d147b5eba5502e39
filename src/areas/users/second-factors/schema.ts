import { Type } from 'typebox'
import { Body, Nullable, Resource, Timestamp } from '#lib/schema.ts'
import { Password } from '../schema.ts'

/** Six digits of the authenticator app, or a recovery code as people type it. */
export const Code = Type.String({ minLength: 1, maxLength: 50 })

/** Fields that prove the caller's identity: none is needed shortly after a sign-in with both. */
export const ProofFields = {
  currentPassword: Type.Optional(Password),
  code: Type.Optional({
    ...Code,
    description: 'A code of the authenticator app or a recovery code, where a second factor is set',
  }),
}
export const Proof = Body(ProofFields, 'Proof')

export const Totp = Resource('Totp', {
  enabled: Type.Boolean(),
  enabledAt: Nullable(Timestamp),
  recoveryCodesLeft: Type.Integer(),
})

export const StartedTotp = Resource('StartedTotp', {
  secret: Type.String({ description: 'In base 32, for who cannot read the QR code' }),
  uri: Type.String({ description: 'For the QR code: otpauth://…' }),
})

export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each signs in once in place of the second factor. Shown this once',
})
