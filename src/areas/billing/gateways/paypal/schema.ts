import { type Static, type TSchema, Type } from 'typebox'

/** The parts of PayPal's answers that are read here; there are more, and they may change. */
const Money = Type.Object({ currency_code: Type.String(), value: Type.String() })
export type PaypalMoney = Static<typeof Money>

const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

const Link = Type.Object({ href: Type.String(), rel: Type.String() })

export const Token = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  expires_in: Type.Number(),
  app_id: Maybe(Type.String()),
})

export const Refund = Type.Object({
  id: Type.String(),
  status: Type.String(),
  amount: Money,
  custom_id: Maybe(Type.String()),
})
export type Refund = Static<typeof Refund>

export const Capture = Type.Object({
  id: Type.String(),
  status: Type.String(),
  amount: Money,
  custom_id: Maybe(Type.String()),
  create_time: Maybe(Type.String()),
  processor_response: Maybe(Type.Object({ response_code: Maybe(Type.String()) })),
  seller_receivable_breakdown: Maybe(Type.Object({ paypal_fee: Maybe(Money) })),
  supplementary_data: Maybe(
    Type.Object({ related_ids: Maybe(Type.Object({ order_id: Maybe(Type.String()) })) }),
  ),
})
export type Capture = Static<typeof Capture>

const Wallet = Type.Object({
  email_address: Maybe(Type.String()),
  account_id: Maybe(Type.String()),
  address: Maybe(Type.Object({ country_code: Maybe(Type.String()) })),
  attributes: Maybe(
    Type.Object({
      vault: Maybe(Type.Object({ id: Maybe(Type.String()), status: Maybe(Type.String()) })),
    }),
  ),
})
export type Wallet = Static<typeof Wallet>

const PurchaseUnit = Type.Object({
  custom_id: Maybe(Type.String()),
  amount: Money,
  payments: Maybe(
    Type.Object({ captures: Maybe(Type.Array(Capture)), refunds: Maybe(Type.Array(Refund)) }),
  ),
})

export const Order = Type.Object({
  id: Type.String(),
  status: Type.String(),
  update_time: Maybe(Type.String()),
  purchase_units: Type.Array(PurchaseUnit, { minItems: 1 }),
  payment_source: Maybe(Type.Object({ paypal: Maybe(Wallet) })),
  links: Maybe(Type.Array(Link)),
})
export type Order = Static<typeof Order>

export const Dispute = Type.Object({
  dispute_id: Type.String(),
  status: Type.String(),
  reason: Maybe(Type.String()),
  dispute_amount: Money,
  dispute_life_cycle_stage: Maybe(Type.String()),
  dispute_outcome: Maybe(
    Type.Object({ outcome_code: Maybe(Type.String()), amount_refunded: Maybe(Money) }),
  ),
  seller_response_due_date: Maybe(Type.String()),
  disputed_transactions: Type.Array(Type.Object({ seller_transaction_id: Maybe(Type.String()) })),
})
export type Dispute = Static<typeof Dispute>

/** A page of disputes: their ids, to read them one by one. */
export const Disputes = Type.Object({
  items: Maybe(Type.Array(Type.Object({ dispute_id: Type.String() }))),
})

const TransactionInfo = Type.Object({
  transaction_id: Maybe(Type.String()),
  paypal_reference_id: Maybe(Type.String()),
  transaction_event_code: Maybe(Type.String()),
  transaction_status: Maybe(Type.String()),
  transaction_initiation_date: Maybe(Type.String()),
  transaction_amount: Maybe(Money),
  custom_field: Maybe(Type.String()),
})
export type TransactionInfo = Static<typeof TransactionInfo>

/** A page of PayPal's list of transactions. */
export const Transactions = Type.Object({
  transaction_details: Maybe(Type.Array(Type.Object({ transaction_info: Maybe(TransactionInfo) }))),
  total_pages: Maybe(Type.Integer({ minimum: 0 })),
})

/** A saved wallet, as events describe it. */
export const PaymentToken = Type.Object({
  id: Type.String(),
  customer: Maybe(Type.Object({ merchant_customer_id: Maybe(Type.String()) })),
  payment_source: Maybe(Type.Object({ paypal: Maybe(Wallet) })),
})

export const WebhookEvent = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  event_type: Type.String({ minLength: 1, maxLength: 200 }),
  create_time: Maybe(Type.String()),
  resource: Type.Record(Type.String(), Type.Unknown()),
})
export type WebhookEvent = Static<typeof WebhookEvent>

export const WebhookEvents = Type.Object({
  events: Maybe(Type.Array(WebhookEvent)),
  links: Maybe(Type.Array(Link)),
})

export const Webhook = Type.Object({
  id: Type.String(),
  url: Type.String(),
  event_types: Type.Array(Type.Object({ name: Type.String() })),
})
export type Webhook = Static<typeof Webhook>
export const Webhooks = Type.Object({ webhooks: Type.Array(Webhook) })
