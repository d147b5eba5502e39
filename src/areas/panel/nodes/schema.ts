import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

const NodeType = OneOf(['auto', 'pterodactyl', 'pelican'], '`auto`: found out by asking the panel')

/** A key as panels print it: no blanks, ASCII. */
const Key = Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' })
const MaskedKey = Type.String({ description: 'The last four characters at most' })

const SignOnUrl = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'Where the panel starts a sign-in with the account of the shop (`https://<panel>/auth/oauth/redirect/<id>` on Pelican); null: customers use the sign-in of the panel itself',
  }),
)

export const NewNode = Body({
  name: Line(),
  url: Line(500),
  apiKey: Key,
  clientApiKey: Type.Optional(Nullable(Key)),
  type: Type.Optional(NodeType),
  signOnUrl: Type.Optional(SignOnUrl),
})
export type NewNode = Static<typeof NewNode>

export const NodeChange = Type.Partial(NewNode, { additionalProperties: false })
export type NodeChange = Static<typeof NodeChange>

export const Node = Resource('Node', {
  id: Id,
  name: Type.String(),
  url: Type.String(),
  type: NodeType,
  detectedType: Nullable(OneOf(['pterodactyl', 'pelican'])),
  apiKey: MaskedKey,
  clientApiKey: Nullable(MaskedKey),
  signOnUrl: Nullable(Type.String()),
  status: OneOf(['unknown', 'ok', 'unreachable', 'unauthorized']),
  testedAt: Nullable(Timestamp),
  serviceCount: Type.Integer(),
  createdAt: Timestamp,
})
export type Node = Static<typeof Node>

export const NodeTest = Resource('NodeTest', {
  ok: Type.Boolean(),
  type: NodeType,
  locations: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  missingPermissions: Type.Array(Type.String()),
  message: Nullable(Type.String()),
  latencyMs: Type.Integer(),
  rateLimit: Nullable(Type.Integer({ description: 'Requests a minute, as the panel tells' })),
})
export type NodeTest = Static<typeof NodeTest>
