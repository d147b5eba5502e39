import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, Slug, Text, Timestamp } from '#lib/schema.ts'
import { Plan } from '../plans/schema.ts'
import { Environment, Position } from '../schema.ts'

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })
const Size = Type.Integer({ minimum: 0, maximum: 100_000_000 })

const Limits = Body({
  memoryMb: Size,
  diskMb: Size,
  cpuPercent: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
  swapMb: Type.Integer({ minimum: -1, maximum: 100_000_000, default: 0 }),
  io: Type.Integer({ minimum: 10, maximum: 1000, default: 500 }),
})

const FeatureLimits = Body({ databases: Count, backups: Count, allocations: Count })

/** What the panel makes when this is bought. 0 MB and 0 % are unlimited, as the panel has it. */
export const Provisioning = Body({
  eggId: Id,
  nodeIds: Type.Array(Id, { maxItems: 100, default: [] }),
  locationIds: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
    maxItems: 100,
    default: [],
  }),
  limits: Limits,
  featureLimits: Type.Unsafe<Static<typeof FeatureLimits>>({ ...FeatureLimits, default: {} }),
  environment: Type.Unsafe<Static<typeof Environment>>({ ...Environment, default: {} }),
})
export type Provisioning = Static<typeof Provisioning>

const Stock = Nullable(
  Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'What can be sold; null: no limit' }),
)
const TargetIds = Type.Array(Id, { maxItems: 100, uniqueItems: true })

const optional = {
  slug: Type.Optional(Slug),
  description: Type.Optional(Nullable(Text())),
  categoryId: Type.Optional(Nullable(Id)),
  taxRateId: Type.Optional(Nullable(Id)),
  stock: Type.Optional(Stock),
  hidden: Type.Optional(Type.Boolean()),
  position: Type.Optional(Position),
  upgradeTargetIds: Type.Optional(TargetIds),
  provisioning: Type.Optional(Nullable(Provisioning)),
}

export const NewProduct = Body({ name: Line(), ...optional })
export type NewProduct = Static<typeof NewProduct>

export const ProductChange = Body({ name: Type.Optional(Line()), ...optional })
export type ProductChange = Static<typeof ProductChange>

export const Product = Type.Object({
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  categoryId: Nullable(Id),
  taxRateId: Nullable(Id),
  stock: Nullable(Type.Integer()),
  hidden: Type.Boolean(),
  position: Type.Integer(),
  upgradeTargetIds: Type.Array(Id),
  provisioning: Nullable(Provisioning),
  plans: Type.Array(Plan),
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})

export const BulkTaxRate = Body({
  productIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 10_000, uniqueItems: true })),
  categoryId: Type.Optional(Id),
  taxRateId: Nullable(Id),
})
export type BulkTaxRate = Static<typeof BulkTaxRate>

export const BulkUpdated = Type.Object({ updated: Type.Integer() })
