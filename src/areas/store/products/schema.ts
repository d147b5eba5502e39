import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Slug, Text, Timestamp } from '#lib/schema.ts'
import { Provisioning } from '#panel'
import { Plan } from '../plans/schema.ts'
import { Position } from '../schema.ts'

const Stock = Nullable(
  Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'What can be sold; null: no limit' }),
)
const TargetIds = Type.Array(Id, { maxItems: 100, uniqueItems: true })

export const Delivery = OneOf(
  ['server', 'none'],
  '`server`: a game panel creates a server; `none`: the service is active as soon as it is paid, without a server. Fixed once the product was sold.',
)

const optional = {
  delivery: Type.Optional(Delivery),
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

const Fault = Type.Object({ path: Type.String(), message: Type.String() })

export const Product = Resource('Product', {
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
  delivery: Delivery,
  provisioning: Nullable(Provisioning),
  provisioningFaults: Type.Array(Fault, {
    description: 'What keeps servers from being made of it; empty while it can be delivered',
  }),
  publishedAt: Nullable(Timestamp),
  publishFaults: Type.Array(Fault, {
    description:
      'What publishing needs: a plan with a price in the currency of the shop, and for the delivery `server`, `provisioning` without faults and a panel connection whose last test succeeded',
  }),
  sellable: Type.Boolean({
    description:
      'Whether it is listed and sold: it is published, has a price, and can be delivered. Services that have it go on in any case.',
  }),
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

export const BulkUpdated = Resource('BulkUpdate', { updated: Type.Integer() })
