import { type Static, Type } from 'typebox'
import { Body, Id } from '#lib/schema.ts'

const MAX_MIB = 100_000_000
const Size = Type.Integer({ minimum: 0, maximum: MAX_MIB })
const Count = (preset: number) => Type.Integer({ minimum: 0, maximum: 10_000, default: preset })

/** Variables of a game server: names of letters, digits and underscores, values as text. */
export const EnvironmentSchema = Type.Unsafe<Record<string, string>>({
  type: 'object',
  propertyNames: { type: 'string', pattern: '^(?!__proto__$)\\w{1,191}$' },
  additionalProperties: { type: 'string', maxLength: 2000 },
  maxProperties: 100,
})

/** What customers choose about their server's start, beside the variables they may set. */
const Choices = Body({
  lockedVariables: Type.Array(Type.String({ minLength: 1, maxLength: 191 }), {
    ...{ maxItems: 100, uniqueItems: true, default: [] },
    description: 'Variables that customers may not set, though the egg would let them',
  }),
  dockerImage: Type.Boolean({ default: false, description: "Any of the egg's images" }),
  startup: Type.Boolean({ default: false, description: "Any of the egg's start-up commands" }),
})

/** How servers of a product are built, and where they may be placed. Sizes in MiB. */
export const Provisioning = Body(
  {
    eggId: Id,
    nodeIds: Type.Array(Id, {
      maxItems: 100,
      uniqueItems: true,
      default: [],
      description: "Panel connections to choose from; none: the egg's own",
    }),
    locationIds: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      uniqueItems: true,
      default: [],
      description: 'Locations to choose from, as a connection test names them; none: any',
    }),
    limits: Body({
      memoryMb: Size,
      diskMb: Size,
      cpuPercent: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
      swapMb: Type.Integer({ minimum: -1, maximum: MAX_MIB, default: 0 }),
      io: Type.Integer({ minimum: 10, maximum: 1000, default: 500 }),
    }),
    featureLimits: Type.Object(
      { databases: Count(0), backups: Count(0), allocations: Count(1) },
      { additionalProperties: false, default: { databases: 0, backups: 0, allocations: 1 } },
    ),
    environment: Type.Unsafe<Static<typeof EnvironmentSchema>>({
      ...EnvironmentSchema,
      default: {},
    }),
    choices: Type.Optional(Choices),
  },
  'Provisioning',
)
export type Provisioning = Static<typeof Provisioning>
