import { type Static, Type } from 'typebox'
import { HowToPayFields, InvoiceSchema, PaymentSchema } from '#billing'
import {
  Amount,
  Body,
  Currency,
  Id,
  ListQuery,
  Nullable,
  OneOf,
  Resource,
  Text,
  Timestamp,
} from '#lib/schema.ts'
import { ShownLocation } from '#panel'
import { ServiceStatus } from '#services'

export const OrderStatus = OneOf(['pending', 'paid', 'fulfilled', 'canceled'])
export type OrderStatus = Static<typeof OrderStatus>

/** How many characters a customer's note may have: the checkout page keeps it in a cookie when a session ends. */
export const NOTE_LENGTH = 500

export const Checkout = Body({
  ...HowToPayFields,
  immediateStart: Type.Optional(
    Type.Boolean({
      description:
        'The customer asks that it begins before the time to withdraw is over, and has agreed to the text ' +
        'of `GET /v1/billing/checkout/consent`',
    }),
  ),
  acceptedTermsVersion: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 1_000_000 },
      description: 'The accepted version of the terms of sale',
    }),
  ),
  note: Type.Optional({
    ...Text(NOTE_LENGTH),
    description: 'A note of the customer to the shop, which staff see with the order',
  }),
})
export type Checkout = Static<typeof Checkout>

export const Order = Resource('Order', {
  id: Id,
  number: Type.String(),
  status: OrderStatus,
  totalCents: Amount,
  currency: Currency,
  invoiceId: Id,
  payable: Type.Boolean(),
  items: Type.Array(
    Resource('OrderItem', {
      id: Id,
      productId: Id,
      planId: Id,
      productName: Type.String(),
      planName: Type.String(),
      name: Type.String({ description: 'What the customer called it, else the product' }),
      location: Nullable(ShownLocation),
      quantity: Type.Integer(),
      serviceIds: Type.Array(Id),
      totalCents: Amount,
    }),
  ),
  termsVersion: Nullable(Type.Integer({ description: 'The accepted version of the terms' })),
  note: Nullable(Type.String({ description: 'The note of the customer to the shop' })),
  placedByStaff: Type.Boolean(),
  createdAt: Timestamp,
  heldUntil: Nullable({
    ...Timestamp,
    description:
      'Until when stock, room and coupons are reserved for an unpaid order: after it, other buyers may get them first. Null for any other order',
  }),
  startsAt: Nullable({
    ...Timestamp,
    description:
      'When an order without consent to an immediate start begins; null: with its payment',
  }),
  paidAt: Nullable(Timestamp),
  fulfilledAt: Nullable(Timestamp),
  canceledAt: Nullable(Timestamp),
})
export type Order = Static<typeof Order>

/** An order for staff, with its customer. */
export const AdminOrder = Resource('AdminOrder', {
  ...Order.properties,
  userId: Id,
  customerName: Type.String(),
  customerEmail: Type.String(),
  /** The member of staff who placed it for the customer. */
  placedBy: Nullable(Resource('OrderPlacedBy', { id: Id, name: Type.String() })),
})

const invoiceFields = ['id', 'number', 'status', 'displayStatus', 'totalCents', 'dueCents'] as const

/** An order for staff, with its invoice, payments and services. */
export const AdminOrderDetails = Resource('AdminOrderDetails', {
  ...AdminOrder.properties,
  invoice: {
    ...Nullable(Resource('OrderInvoice', Type.Pick(InvoiceSchema, invoiceFields).properties)),
    description: 'Null without the permission `invoices:read`',
  },
  payments: {
    ...Nullable(
      Type.Array(
        Resource('OrderPayment', {
          id: Id,
          gatewayName: Nullable(Type.String({ description: 'Null for one that staff recorded' })),
          amountCents: { ...Amount, description: 'The part of it that paid for this order' },
          paidAt: Timestamp,
        }),
      ),
    ),
    description: 'The payments of the invoice, oldest first; null without `invoices:read`',
  },
  services: {
    ...Nullable(
      Type.Array(Resource('OrderService', { id: Id, name: Type.String(), status: ServiceStatus })),
    ),
    description: 'The services created of the order; null without `services:read`',
  },
})

export const AdminOrderQuery = Type.Object({
  ...ListQuery.properties,
  userId: Type.Optional(Id),
  status: Type.Optional(OrderStatus),
})

/** Whether a customer has to request an immediate start, and the text they agree to. */
export const Consent = Resource('ConsentTerms', {
  required: Type.Boolean({
    description: 'Whether what is in the cart needs the consent to begin at once',
  }),
  withoutConsent: OneOf(['refuse', 'wait']),
  startsAt: Nullable({
    ...Timestamp,
    description: 'When an order without the consent begins; null where it is refused or not needed',
  }),
  version: Type.String(),
  language: Type.String(),
  text: Type.String(),
})

export const CheckedOut = Resource('PlacedOrder', {
  order: Order,
  invoice: InvoiceSchema,
  payment: Nullable(PaymentSchema),
})
