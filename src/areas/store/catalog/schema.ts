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
import { ComponentPrice } from '../components/schema.ts'
import { Image } from '../images/schema.ts'
import { FormOption } from '../options/schema.ts'
import { Plan } from '../plans/schema.ts'
import { delivered, Product } from '../products/schema.ts'
import { Badge, searched } from '../translations/schema.ts'

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
  room: Type.Optional(Type.Boolean({ description: 'Asks panels for `room`; up to 3 s more' })),
})

const { limits, featureLimits } = Provisioning.properties

/** How the product is taxed for this visitor. */
const Tax = Resource('CatalogTax', {
  category: OneOf(['S', 'AE', 'O', 'E']),
  rateBasisPoints: Nullable(Type.Integer()),
  country: Type.String(),
  priceMode: OneOf(['exclusive', 'inclusive']),
})

// Visitors must not see how many customers have a plan.
const { serviceCount: _, ...shownOfPlan } = Plan.properties

/** A plan as a visitor sees it: `net`, `tax` and `total` are what one period costs them. */
const CatalogPlan = Resource('CatalogPlan', {
  ...shownOfPlan,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
  setupTotalCents: { ...Amount, description: 'The setup fee with tax' },
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
  options: Type.Array(FormOption, {
    description: 'In the order to ask for them; the choices are `options` of a cart item',
  }),
  locations: Type.Array(
    Resource('OrderFormLocation', {
      ...ShownLocation.properties,
      room: RoomWord,
      prices: Type.Array(ComponentPrice, {
        description:
          'Its surcharge beside each plan; it is not sold in a cycle and currency without one',
      }),
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
  badge: Badge,
  ...searched,
  available: Type.Boolean({ description: 'In stock, and no full panel is known' }),
  room: Nullable(RoomWord),
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
