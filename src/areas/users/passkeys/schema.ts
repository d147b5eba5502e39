import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

export const Passkey = Resource('Passkey', {
  id: Id,
  name: Type.String(),
  backedUp: Type.Boolean({ description: 'Whether the device keeps a copy elsewhere' }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
})

/** Bytes as browsers encode them. */
function Bytes(maxLength: number) {
  return Type.String({ pattern: '^[A-Za-z0-9_-]+$', minLength: 1, maxLength })
}

const CREDENTIAL_LENGTH = 1400
const DATA_LENGTH = 16_000
const Transports = Type.Array(Type.String({ maxLength: 30, pattern: '^[a-z-]+$' }), {
  maxItems: 10,
})

const OPEN = { additionalProperties: true }

/** The fields of `PublicKeyCredential.toJSON()` around its `response`; browsers add further fields. */
function Credential<R extends ReturnType<typeof Type.Object>>(response: R) {
  const fields = {
    id: Bytes(CREDENTIAL_LENGTH),
    rawId: Bytes(CREDENTIAL_LENGTH),
    type: OneOf(['public-key']),
    response,
  }
  return Type.Object(fields, OPEN)
}

export const Attestation = Credential(
  Type.Object(
    {
      clientDataJSON: Bytes(DATA_LENGTH),
      attestationObject: Bytes(DATA_LENGTH),
      transports: Type.Optional(Transports),
    },
    OPEN,
  ),
)
export type Attestation = Static<typeof Attestation>

export const Assertion = Credential(
  Type.Object(
    {
      clientDataJSON: Bytes(DATA_LENGTH),
      authenticatorData: Bytes(DATA_LENGTH),
      signature: Bytes(DATA_LENGTH),
      userHandle: Type.Optional(Nullable(Bytes(100))),
    },
    OPEN,
  ),
)
export type Assertion = Static<typeof Assertion>

const Descriptor = Resource('PasskeyDescriptor', {
  id: Type.String(),
  type: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
})

/** The input of `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const CreationOptions = Resource('PasskeyCreationOptions', {
  challenge: Type.String(),
  rp: Type.Object({ id: Type.Optional(Type.String()), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.String(), alg: Type.Integer() })),
  timeout: Type.Optional(Type.Integer()),
  excludeCredentials: Type.Optional(Type.Array(Descriptor)),
  authenticatorSelection: Type.Optional(
    Type.Object({
      residentKey: Type.Optional(Type.String()),
      requireResidentKey: Type.Optional(Type.Boolean()),
      userVerification: Type.Optional(Type.String()),
    }),
  ),
  attestation: Type.Optional(Type.String()),
})

/** The input of `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const RequestOptions = Resource('PasskeyRequestOptions', {
  challenge: Type.String(),
  rpId: Type.Optional(Type.String()),
  timeout: Type.Optional(Type.Integer()),
  allowCredentials: Type.Optional(Type.Array(Descriptor)),
  userVerification: Type.Optional(Type.String()),
})
