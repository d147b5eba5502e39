import { Type } from 'typebox'
import { OneOf, Resource } from '#lib/schema.ts'
import { SignedIn } from '../sessions/schema.ts'

/** Identifies a sign-in whose password was right; gives no access by itself. */
export const MfaToken = Type.String({ minLength: 1, maxLength: 200 })

const Pending = Resource('PendingSignIn', {
  mfaRequired: Type.Unsafe<true>({ type: 'boolean', const: true }),
  mfaToken: Type.String({ description: 'For the second step only; ends after ten minutes' }),
  expiresIn: Type.Integer({ description: 'Seconds until it ends' }),
  methods: Type.Array(OneOf(['totp', 'passkey', 'recovery_code']), {
    description: 'What the second step may be',
  }),
})

/** The answer to a request that reveals nothing about the account. */
export const Accepted = Resource('AcceptedRequest', { accepted: Type.Boolean() })

/** The answer to a right password: a session, or the token for the second factor. */
export const SignedInOrPending = Type.Union([SignedIn, Pending])
