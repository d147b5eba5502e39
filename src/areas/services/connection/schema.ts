import { type Static, Type } from 'typebox'
import { Nullable, Resource } from '#lib/schema.ts'

/** How players and files reach the server of a service. */
export const ServerConnection = Resource('ServerConnection', {
  available: Type.Boolean({
    description: 'Whether the panel answered; without it the rest is empty',
  }),
  ports: Type.Array(
    Type.Object({
      ip: Type.String(),
      alias: Nullable(Type.String({ description: 'The name to show for the address' })),
      port: Type.Integer(),
      primary: Type.Boolean(),
    }),
  ),
  location: Nullable(Type.String()),
  sftp: Nullable(
    Type.Object(
      { host: Type.String(), port: Type.Integer(), username: Type.String() },
      { description: 'For who may use the files; the password is the one of the panel' },
    ),
  ),
})
export const PanelSignIn = Resource('PanelSignIn', {
  username: Type.String(),
  email: Type.String(),
  password: Type.String({ description: 'Shown this once' }),
  url: Type.String({ description: 'The address of the panel' }),
})

export type ServerConnection = Static<typeof ServerConnection>
