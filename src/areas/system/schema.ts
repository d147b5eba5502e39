import { Type } from 'typebox'
import { Id, Nullable, OneOf, Resource } from '#lib/schema.ts'

export const Health = Resource('Health', {
  status: OneOf(['up', 'degraded', 'down'], 'degraded: it serves, and its clock is wrong'),
  checks: Type.Object({
    database: OneOf(['up', 'down']),
    jobs: OneOf(['up', 'down']),
    rateLimitStore: OneOf(['up', 'local']),
    files: OneOf(['up', 'down'], 'down: documents wait, nothing else does'),
    clock: Type.Object({
      status: OneOf(
        ['right', 'wrong', 'unknown'],
        'wrong: more than 30 seconds away from the database server’s',
      ),
      skewSeconds: Nullable(
        Type.Number({
          description:
            'How far this process is ahead of the database server; 0 with the embedded database',
        }),
      ),
    }),
  }),
})

export const Meta = Resource('Meta', {
  name: Type.String(),
  version: Type.String(),
  brand: Type.Object({
    name: Type.String(),
    logoUrl: Nullable(Type.String()),
    primaryColor: Nullable(Type.String()),
    accentColor: Nullable(Type.String()),
    legalFooter: Nullable(Type.String()),
  }),
  status: OneOf(['open', 'suspended'], 'suspended: closed to all but those who run the shop'),
  sourceUrl: Nullable(
    Type.String({ description: 'Where the source of this version is offered (AGPL, section 13)' }),
  ),
  locale: Type.String(),
  currency: Type.String(),
  country: Type.String(),
  gateways: Type.Array(Type.Object({ id: Id, name: Type.String(), driver: Type.String() })),
  signInMethods: Type.Array(Type.String()),
})
