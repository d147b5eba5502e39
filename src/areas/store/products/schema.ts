import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, OneOf, Resource, Slug, Text, Timestamp } from '#lib/schema.ts'
import { Provisioning } from '#panel'
import { NewTarget, Target, TargetStatus } from '../delivery-targets/schema.ts'
import { Image } from '../images/schema.ts'
import { Plan } from '../plans/schema.ts'
import { Position, ServiceCount } from '../schema.ts'
import { Badge, Translations } from '../translations/schema.ts'

const Stock = Nullable(
  Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'What can be sold; null: no limit' }),
)
const TargetIds = Type.Array(Id, { maxItems: 100, uniqueItems: true })

const Delivery = OneOf(['server', 'manual', 'webhook', 'none'])
const Instructions = Nullable(Text())
const PromiseHours = Nullable(Type.Integer({ minimum: 1, maximum: 8760 }))
const PeriodStarts = OneOf(['payment', 'delivery'])
const TASKED = ['change', 'suspend', 'end'] as const
const TaskActions = Type.Array(OneOf(TASKED), {
  ...{ uniqueItems: true, maxItems: 3 },
})

/** The facts about a product's delivery that customers may know. */
export const delivered = {
  delivery: Delivery,
  promiseHours: PromiseHours,
  periodStarts: PeriodStarts,
}

const LocationIds = Type.Array(Id, {
  maxItems: 100,
  uniqueItems: true,
  description: 'Where it is sold; none: wherever `provisioning` says',
})

const optional = {
  delivery: Type.Optional(Delivery),
  instructions: Type.Optional(Instructions),
  promiseHours: Type.Optional(PromiseHours),
  periodStarts: Type.Optional(PeriodStarts),
  taskActions: Type.Optional(TaskActions),
  webhook: Type.Optional(Nullable(NewTarget)),
  slug: Type.Optional(Slug),
  description: Type.Optional(Nullable(Text())),
  categoryId: Type.Optional(Nullable(Id)),
  taxRateId: Type.Optional(Nullable(Id)),
  stock: Type.Optional(Stock),
  hidden: Type.Optional(Type.Boolean()),
  position: Type.Optional(Position),
  upgradeTargetIds: Type.Optional(TargetIds),
  provisioning: Type.Optional(Nullable(Provisioning)),
  locations: Type.Optional(LocationIds),
  translations: Type.Optional(Translations),
  badge: Type.Optional(Badge),
}

export const NewProduct = Body({ name: Line(), ...optional })
export type NewProduct = Static<typeof NewProduct>

export const Duplication = Body({ name: Line() })

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
  delivery: {
    ...Delivery,
    description:
      '`server`: a panel creates a server; `manual`: staff deliver it, by tasks; `webhook`: a system of yours does; `none`: it is active as soon as it is paid. Fixed once the product was sold.',
  },
  instructions: Nullable(Type.String({ description: 'What staff read in its tasks' })),
  promiseHours: Nullable(
    Type.Integer({ description: 'So many hours after the payment, staff have delivered it' }),
  ),
  periodStarts: {
    ...PeriodStarts,
    description: 'When a first period begins; by default with the delivery for `manual`',
  },
  taskActions: {
    ...Type.Array(OneOf(TASKED)),
    description: 'Which later moves are tasks for `manual`; others are recorded at once',
  },
  webhook: Nullable(Target),
  webhookStatus: Nullable(TargetStatus),
  image: Nullable(Image),
  translations: Translations,
  badge: Badge,
  provisioning: Nullable(Provisioning),
  locations: LocationIds,
  provisioningFaults: Type.Array(Fault, {
    description: 'What keeps servers from being made of it; empty while it can be delivered',
  }),
  publishedAt: Nullable(Timestamp),
  publishFaults: Type.Array(Fault, {
    description:
      'What publishing needs: a plan with a price in the currency of the shop; for the delivery `server`, `provisioning` without faults and a panel connection whose last test succeeded; for `manual`, `instructions` and `promiseHours`; for `webhook`, a URL, a secret and an accepted test',
  }),
  sellable: Type.Boolean({
    description:
      'Whether it is listed and sold: it is published, has a price, and can be delivered. Services that have it go on in any case.',
  }),
  plans: Type.Array(Plan),
  serviceCount: ServiceCount,
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})

export const Capacity = Resource('ProductCapacity', {
  places: Nullable(
    Type.Integer({ description: 'Servers that still fit; null while a panel does not answer' }),
  ),
  panels: Type.Array(
    Type.Object({ nodeId: Id, name: Type.String(), places: Nullable(Type.Integer()) }),
  ),
})

export const BulkTaxRate = Body({
  productIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 10_000, uniqueItems: true })),
  categoryId: Type.Optional(Id),
  taxRateId: Nullable(Id),
  dryRun: Type.Optional(Type.Boolean({ default: false })),
})
export type BulkTaxRate = Static<typeof BulkTaxRate>

/** The most products that the answer of a bulk change lists. */
export const MAX_LISTED = 100

const Count = Type.Integer({ minimum: 0 })

export const BulkUpdated = Resource('BulkUpdate', {
  dryRun: Type.Boolean(),
  updated: { ...Count, description: 'The number of all products that changed' },
  unchanged: { ...Count, description: 'They had the tax rate before' },
  rows: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      before: Nullable({ ...Id, description: 'The tax rate before; null is the standard rate' }),
      after: Nullable({ ...Id, description: 'The new tax rate' }),
    }),
    {
      maxItems: MAX_LISTED,
      description: `The products that changed, oldest first; the first ${MAX_LISTED} of \`updated\``,
    },
  ),
})
export type BulkUpdated = Static<typeof BulkUpdated>
