import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'

const Security = OneOf(
  ['tls', 'starttls', 'none'],
  '`tls`: encrypted from the first byte, usually on port 465. `starttls`: encrypted after a greeting, usually on port 587; required. `none`: never encrypted, and without a user name',
)
const Port = Type.Integer({ minimum: 1, maximum: 65_535 })

export const NewMailServer = Body({
  host: Type.String({
    ...{ pattern: '^[A-Za-z0-9.:_-]+$', minLength: 1, maxLength: 253 },
    description: 'Name or IP address',
  }),
  port: Port,
  security: Security,
  username: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 320, pattern: '^[^\\r\\n\\0]+$' })),
  ),
  password: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 1000, pattern: '^[^\\r\\n\\0]+$' },
      description:
        'Stored encrypted and never shown again. Without it the existing one is kept, if host, port and user name stay the same',
    }),
  ),
})
export type NewMailServer = Static<typeof NewMailServer>

const OwnServer = Resource('MailServer', {
  host: Type.String(),
  port: Port,
  security: Security,
  username: Nullable(Type.String()),
  status: OneOf(['unknown', 'ok', 'unhealthy'], 'By the last mail that was sent or could not be'),
  message: Nullable(Type.String({ description: 'Why the server took no mail' })),
  failingSince: Nullable(Timestamp),
  checkedAt: Nullable(Timestamp),
})

export const MailServers = Resource('MailServers', {
  own: Nullable({ ...OwnServer, description: 'The mail server of this shop' }),
  platform: Type.Boolean({
    description:
      'Whether the installation has a mail server. It sends the mails of shops without their own, and those of a shop whose own server fails',
  }),
})
export type MailServers = Static<typeof MailServers>

export const MailTest = Resource('MailTest', {
  ok: Type.Boolean({ description: 'Whether the mail server accepted the mail' }),
  server: OneOf(['own', 'platform']),
  recipient: Type.String(),
  message: Nullable(Type.String({ description: 'Why it was not sent' })),
})
export type MailTest = Static<typeof MailTest>
