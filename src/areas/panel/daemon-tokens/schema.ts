import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { TOKEN_PATTERN } from './rules.ts'

const WEEK_SECONDS = 7 * 24 * 3600

export const NewDaemonToken = Body({
  machine: Type.Optional(Line()),
  token: Type.Optional(
    Nullable(
      Type.String({
        pattern: TOKEN_PATTERN,
        description: "The panel's own for this machine: what its daemon says is then relayed",
      }),
    ),
  ),
  overlapSeconds: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: WEEK_SECONDS, default: 24 * 3600 },
      description: "For how long the machine's tokens before this one still count",
    }),
  ),
})
export type NewDaemonToken = Static<typeof NewDaemonToken>

export const DaemonToken = Resource('DaemonToken', {
  id: Id,
  machine: Type.String(),
  mode: OneOf(
    ['relay', 'report'],
    '`relay`: what the daemon says goes on to the panel; `report`: reports end here',
  ),
  tokenId: Type.String(),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
})

export const ShownDaemonToken = Resource('CreatedDaemonToken', {
  ...DaemonToken.properties,
  token: Nullable(Type.String({ description: 'Shown this once; null where it is the panel’s' })),
  remote: Type.String({ description: "For `remote` in the daemon's configuration" }),
})

export const TokenParams = Type.Object({ id: Id, daemonTokenId: Id })
