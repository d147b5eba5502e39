import type Stripe from 'stripe'
import type { Kept } from './schema/resource.ts'

export type Customer = Kept<Stripe.Customer>
export type PaymentMethod = Kept<Stripe.PaymentMethod>
export type SetupIntent = Kept<Stripe.SetupIntent>
export type PaymentIntent = Kept<Stripe.PaymentIntent>
export type Charge = Kept<Stripe.Charge>
export type Session = Kept<Stripe.Checkout.Session>
export type Refund = Kept<Stripe.Refund>
export type Dispute = Kept<Stripe.Dispute>
export type PortalSession = Kept<Stripe.BillingPortal.Session>
export type PortalConfiguration = Stripe.BillingPortal.Configuration
export type BalanceTransaction = Kept<Stripe.BalanceTransaction>
export type Product = Kept<Stripe.Product>
export type Price = Kept<Stripe.Price>
/** An event of any type; its object is a copy of what it was then. */
export type Event = {
  id: string
  object: 'event'
  api_version: string | null
  created: number
  data: { object: object; previous_attributes?: object }
  livemode: boolean
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null } | null
  type: Stripe.Event['type']
}
export type WebhookEndpoint = Stripe.WebhookEndpoint & { secret: string }

/** What the API never shows of a payment method: which test card or account it is. */
export type Nature = {
  number: string
  /** The holder authenticated it for later use, so that it may be charged without them. */
  setUp: boolean
  /** It belonged to a customer once, or paid without one: it may not be used again alone. */
  spent: boolean
}

/** What a payment session will make its intent of, and what it sells. */
export type Plan = {
  intent: Stripe.Checkout.SessionCreateParams.PaymentIntentData
  lines: Stripe.LineItem[]
}

/** A result that comes later. `at` is in milliseconds of the sandbox's clock. */
export type Appointment = {
  at: number
  what:
    | 'session-expires'
    | 'payment-succeeds'
    | 'payment-fails'
    | 'refund-succeeds'
    | 'refund-fails'
  id: string
}

export type DeliveryState = 'held' | 'due' | 'delivered' | 'dropped' | 'failed'
export type Delivery = {
  id: string
  event: string
  endpoint: string
  copy: 'plain' | 'bad-signature' | 'old-timestamp'
  state: DeliveryState
  tries: number
  /** By the sandbox's clock and by real time: whichever comes first. */
  dueAt: number
  dueReallyAt: number
  /** The status of each answer; 0 where none came. */
  answers: number[]
}

export type DeliveryMode =
  | 'auto'
  | 'hold'
  | 'drop'
  | 'duplicate'
  | 'reverse'
  | 'delay'
  | 'before-response'
  | 'bad-signature'
  | 'old-timestamp'
/** How the next events reach an endpoint. `left` counts them down; null is until further notice. */
export type Mode = { mode: DeliveryMode; left: number | null; ms: number }

/** An answer kept under its idempotency key; `status` is null while the request is running. */
export type KeptAnswer = {
  fingerprint: string
  at: number
  status: number | null
  body: string
  requestId: string
}

type Tables = {
  customers: Customer
  deletedCustomers: Stripe.DeletedCustomer
  paymentMethods: PaymentMethod
  natures: Nature
  setupIntents: SetupIntent
  paymentIntents: PaymentIntent
  /** Where the browser goes after authenticating, by intent. */
  returnUrls: string
  charges: Charge
  sessions: Session
  plans: Plan
  /** The session an intent belongs to. */
  sessionOfIntent: string
  refunds: Refund
  disputes: Dispute
  portalConfigurations: PortalConfiguration
  portalSessions: PortalSession
  balanceTransactions: BalanceTransaction
  products: Product
  prices: Price
  events: Event
  endpoints: WebhookEndpoint
  /** Those that wait or are held; the others are past. */
  deliveries: Delivery
  pastDeliveries: Delivery
  /** `event endpoint` for each endpoint that has an event. */
  reached: true
  /** By endpoint, `*` for all without one of their own. */
  modes: Mode
  answers: KeptAnswer
  appointments: Appointment
}

/** Everything the sandbox remembers, in order of creation. Keys are ids. */
export type Store = { [K in keyof Tables]: Map<string, Tables[K]> }

/** A store as JSON: each table as its entries. */
export type PackedStore = { [K in keyof Tables]: [string, Tables[K]][] }

export function emptyStore(): Store {
  return {
    customers: new Map(),
    deletedCustomers: new Map(),
    paymentMethods: new Map(),
    natures: new Map(),
    setupIntents: new Map(),
    paymentIntents: new Map(),
    returnUrls: new Map(),
    charges: new Map(),
    sessions: new Map(),
    plans: new Map(),
    sessionOfIntent: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    portalConfigurations: new Map(),
    portalSessions: new Map(),
    balanceTransactions: new Map(),
    products: new Map(),
    prices: new Map(),
    events: new Map(),
    endpoints: new Map(),
    deliveries: new Map(),
    pastDeliveries: new Map(),
    reached: new Map(),
    modes: new Map(),
    answers: new Map(),
    appointments: new Map(),
  }
}

export function packStore(store: Store): PackedStore {
  const tables = Object.entries(store).map(([name, table]) => [name, [...table]])
  return structuredClone(Object.fromEntries(tables))
}

/** Replaces what a store holds. A request that was running when it was packed is forgotten. */
export function unpackStore(store: Store, packed: PackedStore): void {
  const tables: Record<string, Map<string, unknown>> = store
  for (const [name, table] of Object.entries(tables)) {
    table.clear()
    const entries: [string, unknown][] = packed[name as keyof PackedStore] ?? []
    for (const [id, row] of structuredClone(entries)) table.set(id, row)
  }
  for (const [key, answer] of store.answers) {
    if (answer.status === null) store.answers.delete(key)
  }
}
