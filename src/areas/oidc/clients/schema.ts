import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

const MAX_URIS = 20
const MAX_URI_LENGTH = 2000
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600

/** The scopes that a client may request. */
export const SCOPES = ['openid', 'profile', 'email', 'offline_access', 'services'] as const

const ClientType = OneOf(
  ['confidential', 'public'],
  'Whether the application can keep a secret: one on a server can, one in a browser cannot',
)

const Uri = Type.String({
  minLength: 1,
  maxLength: MAX_URI_LENGTH,
  description: 'https, or http on the loopback address; without a fragment, compared exactly',
})
const RedirectUris = Type.Array(Uri, { minItems: 1, maxItems: MAX_URIS, uniqueItems: true })
const LogoutUris = Type.Array(Uri, { maxItems: MAX_URIS, uniqueItems: true })
const Scopes = Type.Array(OneOf(SCOPES), { minItems: 1, uniqueItems: true })
const Overlap = Type.Integer({
  minimum: 0,
  maximum: MAX_OVERLAP_SECONDS,
  description: 'How long the old secret still works after a rotation; 0 ends it at once',
})
const RequireVerifiedEmail = Type.Boolean({
  description:
    'Whether a person needs a confirmed address to sign in; true unless said otherwise. Switch it off only for applications that do not identify people by their address',
})

export const NewClient = Body({
  name: Line(),
  redirectUris: RedirectUris,
  postLogoutRedirectUris: Type.Optional(LogoutUris),
  scopes: Type.Optional(Scopes),
  type: Type.Optional(ClientType),
  secretOverlapSeconds: Type.Optional(Overlap),
  requireVerifiedEmail: Type.Optional(RequireVerifiedEmail),
})
export type NewClient = Static<typeof NewClient>

export const ClientChange = Body({
  name: Type.Optional(Line()),
  redirectUris: Type.Optional(RedirectUris),
  postLogoutRedirectUris: Type.Optional(LogoutUris),
  scopes: Type.Optional(Scopes),
  type: Type.Optional(ClientType),
  secretOverlapSeconds: Type.Optional(Overlap),
  requireVerifiedEmail: Type.Optional(RequireVerifiedEmail),
})
export type ClientChange = Static<typeof ClientChange>

export const Client = Resource('OauthClient', {
  id: Id,
  clientId: Id,
  clientSecret: Nullable(
    Type.String({ description: 'In clear where it was just made, else its last four characters' }),
  ),
  name: Type.String(),
  type: ClientType,
  redirectUris: Type.Array(Type.String()),
  postLogoutRedirectUris: Type.Array(Type.String()),
  scopes: Type.Array(OneOf(SCOPES)),
  secretOverlapSeconds: Type.Integer(),
  requireVerifiedEmail: Type.Boolean(),
  previousSecretEndsAt: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type Client = Static<typeof Client>
