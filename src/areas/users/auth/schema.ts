import { Type } from 'typebox'
import { OneOf, Resource } from '#lib/schema.ts'
import { SignedIn } from '../sessions/schema.ts'

/** Stands for a sign-in whose password was right; opens nothing by itself. */
export const MfaToken = Type.String({ minLength: 1, maxLength: 200 })

const Pending = Resource('PendingSignIn', {
  mfaRequired: Type.Unsafe<true>({ type: 'boolean', const: true }),
  mfaToken: Type.String({ description: 'For the second step only; ends after ten minutes' }),
  expiresIn: Type.Integer({ description: 'Seconds until it ends' }),
  methods: Type.Array(OneOf(['totp', 'passkey', 'recovery_code']), {
    description: 'What the second step may be',
  }),
})

/** What a right password gets: a session, or the way to the second factor. */
export const SignedInOrPending = Type.Union([SignedIn, Pending])
