import { type Static, Type } from 'typebox'
import { Line, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { EnvironmentSchema } from '#panel'

const Label = Line(500)

/** What users of a service may change about how its server starts. */
export const StartupWish = {
  environment: Type.Optional(EnvironmentSchema),
  dockerImage: Type.Optional(Label),
  startup: Type.Optional(Label),
}

const Choice = (of: string) =>
  Type.Object({
    chosen: Nullable(Type.String()),
    labels: Type.Array(Type.String(), { description: `The ${of} to choose from; none: no choice` }),
  })

export const Startup = Resource('ServiceStartup', {
  available: Type.Boolean({
    description: 'Whether the panel was there to say so; else the values are those known here',
  }),
  environment: Type.Array(
    Type.Object({
      env: Type.String(),
      name: Type.String(),
      description: Type.String(),
      value: Type.String(),
      default: Type.String(),
      rules: Type.Array(Type.String()),
      editable: Type.Boolean(),
    }),
  ),
  dockerImage: Choice('images'),
  startup: Choice('commands'),
  // The last change that was requested. A running server uses it from its next start.
  change: Nullable(
    Type.Object({
      state: OneOf(['pending', 'applied', 'failed']),
      requestedAt: Timestamp,
      endedAt: Nullable(Timestamp),
      failure: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    }),
  ),
})
export type Startup = Static<typeof Startup>
