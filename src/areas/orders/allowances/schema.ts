import { Type } from 'typebox'
import { Body, Id, Nullable, Resource, Timestamp } from '#lib/schema.ts'

const Entry = (description: string) =>
  Type.Object(
    {
      used: Type.Integer({ description: 'How much of the limit is used now' }),
      limit: Type.Integer({ description: 'The limit that holds for this person' }),
      ownLimit: Nullable(
        Type.Integer({
          description: 'What staff set for this person; null: the limit of the shop',
        }),
      ),
    },
    { description },
  )

/** What a customer may have before they have paid, and how much of it they have. */
export const Allowance = Resource('OrderAllowance', {
  openServices: Entry('Open services that are not paid in advance'),
  openOrders: Entry('Unpaid orders'),
  openOrdersPerProduct: Entry('Unpaid orders of one product; used: of the product with the most'),
  heldUnits: Entry('Units for which unpaid orders hold stock and room'),
  changedBy: Nullable({ ...Id, description: 'Who last changed the limits of this person' }),
  changedAt: Nullable(Timestamp),
})

const OwnLimit = (minimum: number) =>
  Type.Optional(
    Nullable(
      Type.Integer({ minimum, maximum: 100_000, description: 'null: the limit of the shop again' }),
    ),
  )

export const AllowanceChange = Body({
  openServices: OwnLimit(0),
  openOrders: OwnLimit(1),
  openOrdersPerProduct: OwnLimit(1),
  heldUnits: OwnLimit(0),
})
