import { type Static, Type } from 'typebox'
import {
  Amount,
  Country,
  Currency,
  Id,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'
import { Provisioning, RoomWord, ShownLocation } from '#panel'
import { Image } from '../images/schema.ts'
import { Plan } from '../plans/schema.ts'
import { delivered, Product } from '../products/schema.ts'

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
const Tax = Resource('CatalogTax', {
  category: OneOf(['S', 'AE', 'O', 'E']),
  rateBasisPoints: Nullable(Type.Integer()),
  country: Type.String(),
  priceMode: OneOf(['exclusive', 'inclusive']),
})

// How many others have a plan is no visitor's business.
const { serviceCount: _, ...shownOfPlan } = Plan.properties

/** A plan as a visitor sees it: `net`, `tax` and `total` are what one period costs them. */
const CatalogPlan = Resource('CatalogPlan', {
  ...shownOfPlan,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
})

const shown = ['id', 'slug', 'name', 'description', 'categoryId', 'stock', 'position'] as const

/** A value that the buyer may choose for a new server; `rules` are those of the egg. */
const FormVariable = Resource('OrderFormVariable', {
  env: Type.String({ description: 'Its name in the `environment` of a cart item' }),
  name: Type.String(),
  description: Type.String(),
  default: Type.String({
    description: 'The default value; empty where it is not disclosed',
  }),
  rules: Type.Array(Type.String(), {
    description: 'What the panel asks of a value, as validation rules of Laravel',
  }),
  required: Type.Boolean({ description: 'Whether an order without it is refused' }),
})

/** What a buyer fills in to order a product. */
export const OrderForm = Resource('OrderForm', {
  game: Nullable(Type.String({ description: 'The name of the egg the server is made from' })),
  variables: Type.Array(FormVariable),
  locations: Type.Array(
    Resource('OrderFormLocation', {
      ...ShownLocation.properties,
      room: { ...RoomWord, description: '`few`: for fewer than five servers' },
    }),
    { description: 'Of several, the buyer chooses one as `locationId`' },
  ),
})
export type OrderForm = Static<typeof OrderForm>

export const CatalogProduct = Resource('CatalogProduct', {
  ...Type.Pick(Product, shown).properties,
  ...delivered,
  upgradeTargetIds: Type.Array(Id),
  provisioning: Nullable(Type.Object({ limits, featureLimits })),
  image: Nullable(Image),
  tax: Tax,
  plans: Type.Array(CatalogPlan),
  createdAt: Timestamp,
})
export type CatalogProduct = Static<typeof CatalogProduct>

/** One product by itself, with its order form. */
export const OrderableProduct = Resource('OrderableProduct', {
  ...CatalogProduct.properties,
  orderForm: OrderForm,
})
export type OrderableProduct = Static<typeof OrderableProduct>
