import { type Static, Type } from 'typebox'
import {
  Amount,
  Country,
  Currency,
  Id,
  Nullable,
  OneOf,
  PageQuery,
  Timestamp,
} from '#lib/schema.ts'
import { Provisioning } from '#panel'
import { Plan } from '../plans/schema.ts'
import { Product } from '../products/schema.ts'

export const CategoryQuery = PageQuery

const place = {
  country: Type.Optional(Country),
  currency: Type.Optional(Currency),
}
export const PlaceQuery = Type.Object(place)
export const CatalogQuery = Type.Object({
  ...PageQuery.properties,
  ...place,
  categoryId: Type.Optional(Id),
})

const { limits, featureLimits } = Provisioning.properties

/** How what is shown is taxed for this visitor. */
const Tax = Type.Object({
  category: OneOf(['S', 'AE', 'O', 'E']),
  rateBasisPoints: Nullable(Type.Integer()),
  country: Type.String(),
  priceMode: OneOf(['exclusive', 'inclusive']),
})

/** A plan as a visitor sees it: `net`, `tax` and `total` are what one period costs them. */
const CatalogPlan = Type.Object({
  ...Plan.properties,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
})

const shown = ['id', 'slug', 'name', 'description', 'categoryId', 'stock', 'position'] as const

export const CatalogProduct = Type.Object({
  ...Type.Pick(Product, shown).properties,
  upgradeTargetIds: Type.Array(Id),
  provisioning: Nullable(Type.Object({ limits, featureLimits })),
  tax: Tax,
  plans: Type.Array(CatalogPlan),
  createdAt: Timestamp,
})
export type CatalogProduct = Static<typeof CatalogProduct>
