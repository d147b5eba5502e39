import type { TSchema } from 'typebox'
import type { Instant } from '#lib/time.ts'
import type { Outbound } from '#platform/outbound.ts'
import type {
  Correlation,
  MethodSnapshot,
  Mode,
  Money,
  Observation,
  PaymentSnapshot,
  PaymentState,
  ProviderRef,
  RefundSnapshot,
  SetupSnapshot,
  SetupState,
} from './snapshots.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One gateway as a driver sees it during one call. */
export interface GatewayContext {
  readonly installationId: string
  readonly gatewayId: string
  readonly mode: Mode
  /** Matches the driver's `settingsSchema`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Matches the driver's `secretsSchema`; decrypted for this call only. */
  readonly secrets: Readonly<Record<string, string>>
  readonly webhookUrl: string
  /** The endpoint that `ensureWebhook` created, whose secret is among the secrets. */
  readonly webhookEndpointId?: string
  /**
   * Tokens that prove that an address, given to the provider for one of our objects, came from us:
   * the current token first, then those of earlier keys.
   */
  readonly tokenFor: (what: string) => readonly [string, ...string[]]
  /** Sends a request, to public addresses only. */
  readonly request: Outbound['request']
  readonly now: () => Instant
  /** Ends the call early: the caller has gone, or the service shuts down. */
  readonly signal: AbortSignal
  readonly log: (level: LogLevel, message: string, data?: object) => void
}

/** What a driver can do. The core checks these and never the driver's name. */
/** The icons of ways to pay. */
export const PAYMENT_ICONS = ['card', 'bank', 'wallet'] as const
export type PaymentIcon = (typeof PAYMENT_ICONS)[number]

export interface GatewayCapabilities {
  /** `instructions`: no provider knows about the payment; a person records what came in. */
  readonly checkout: 'redirect' | 'instructions'
  /** The icon beside the gateway's name: what people mostly pay with there. */
  readonly icon: PaymentIcon
  readonly saveMethod: 'setup' | 'with-first-payment' | 'none'
  readonly chargeSaved: boolean
  readonly refund: 'full-and-partial' | 'manual'
  readonly portal: boolean
  readonly disputes: boolean
  readonly webhook: 'signed' | 'ping-then-fetch' | 'none'
  /** The provider keeps a log of events that can be read again after an outage. */
  readonly listChanges: boolean
  /** The provider lists its payments, so that its books can be compared with ours. */
  readonly listPayments: boolean
  readonly currencies: readonly string[] | 'any'
  /** The smallest amount the provider takes, in the currency's smallest unit. */
  readonly minAmount?: (currency: string) => number
}

export interface CustomerInput {
  readonly userId: string
  readonly email: string
  readonly name?: string
  readonly locale?: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  readonly existingCustomerId?: string
}

export interface StartPaymentInput {
  readonly correlation: Correlation
  readonly idempotencyKey: string
  readonly amount: Money
  readonly description: string
  readonly customerId?: string
  readonly customerEmail?: string
  readonly locale?: string
  readonly saveMethod: boolean
  readonly returnUrl: string
  readonly cancelUrl: string
  /** Must be the same on a repeated call. Stripe requires 30 minutes to 24 hours ahead. */
  readonly expiresAt?: Instant
}

/** What the customer has to do next. Labels are keys, such as `iban`, for a page to translate. */
export type NextStep =
  | { readonly kind: 'redirect'; readonly url: string; readonly expiresAt?: Instant }
  | {
      readonly kind: 'instructions'
      readonly lines: readonly { readonly label: string; readonly value: string }[]
      readonly reference: string
    }
  | {
      readonly kind: 'client_secret'
      readonly clientSecret: string
      readonly publishableKey: string
    }
  | { readonly kind: 'none' }

export interface StartPaymentResult {
  readonly ref: ProviderRef
  readonly state: PaymentState
  readonly next: NextStep
}

export interface StartSetupInput {
  readonly correlation: Correlation
  readonly idempotencyKey: string
  readonly customerId: string
  readonly currency: string
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly locale?: string
  /** `embedded` is for a front end that shows the provider's form itself. */
  readonly mode?: 'redirect' | 'embedded'
}

export interface StartSetupResult {
  readonly setupId: string
  readonly state: SetupState
  readonly next: NextStep
}

export interface ChargeSavedInput {
  readonly correlation: Correlation
  readonly idempotencyKey: string
  readonly amount: Money
  readonly customerId: string
  readonly methodId: string
  readonly description: string
}

export interface RefundInput {
  /** Made from our refund row, never from amounts: two equal partial refunds are two refunds. */
  readonly idempotencyKey: string
  readonly ourRefundId: string
  readonly payment: ProviderRef
  readonly amount: Money
  readonly reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer'
  readonly correlation: Correlation
}

export interface PortalInput {
  readonly customerId: string
  readonly returnUrl: string
  readonly locale?: string
  readonly section?: 'payment_methods'
}

export interface FindByAttemptQuery {
  readonly correlation: Correlation
  readonly customerId?: string
  /** When the attempt was created. */
  readonly since: Instant
}

/** A request as it came in. Header names are lower case; the body is the bytes as received. */
export interface RawWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The query part of the called address, after the `?`. */
  readonly query: Readonly<Record<string, string>>
  /** By the clock the provider signs with: real time, not a clock that was moved. */
  readonly receivedAt: Instant
  readonly remoteAddress?: string
}

/** One authentic event; `payload` may be stored as JSON and passed to `observe` much later. */
export interface EventEnvelope {
  /** Unique per gateway. */
  readonly eventKey: string
  readonly type: string
  readonly objectId?: string
  readonly apiVersion?: string
  readonly occurredAt?: Instant
  readonly mode?: Mode
  readonly payload: unknown
}

/** The key of one repeated call; made from our row, the same whichever process repeats it. */
export interface Keyed {
  readonly idempotencyKey: string
}

/** One payment in the provider's list. */
export interface ListedPayment {
  /** The payment first, then its refunds and disputes. */
  readonly told: readonly Observation[]
  /** Reads the current state, if the list may be hours behind; absent if the list is current. */
  readonly again?: () => Promise<readonly Observation[]>
}

/** The owner of the credentials. */
export interface AccountSnapshot {
  readonly accountId: string
  readonly mode: Mode
  readonly country?: string
}

/**
 * One way of taking money. A driver gets everything as an argument, returns a snapshot or throws a
 * `GatewayError`, and decides nothing about invoices. An optional method exists exactly if a
 * capability says so. Every write with a key has one effect and one result, however often it is
 * called.
 */
export interface PaymentGateway {
  readonly driver: string
  readonly capabilities: GatewayCapabilities
  readonly settingsSchema: TSchema
  readonly secretsSchema: TSchema

  /**
   * Asks the provider whose credentials these are. Throws `credentials`, also for the wrong mode.
   */
  verifyCredentials(c: GatewayContext): Promise<AccountSnapshot>

  /** Creates the customer, or updates a known one; returns a new id if that one was deleted. */
  ensureCustomer?(
    c: GatewayContext,
    input: CustomerInput,
    idempotencyKey: string,
  ): Promise<{ readonly customerId: string }>

  /**
   * Deletes the customer at the provider, with the methods saved there. Payments stay. Succeeds if
   * the provider no longer has the customer, however that was removed.
   */
  forgetCustomer?(c: GatewayContext, customerId: string): Promise<void>

  startPayment(c: GatewayContext, input: StartPaymentInput): Promise<StartPaymentResult>

  /** Called when the customer comes back and by the sweeper; captures if the provider needs it. */
  settlePayment(c: GatewayContext, ref: ProviderRef, key: Keyed): Promise<PaymentSnapshot>

  fetchPayment(c: GatewayContext, ref: ProviderRef): Promise<PaymentSnapshot>

  /**
   * Finds what a call with an unknown outcome created. `null` means that the provider certainly has
   * nothing; if that is not certain, throws `unavailable`.
   */
  findByAttempt(c: GatewayContext, query: FindByAttemptQuery): Promise<PaymentSnapshot | null>

  /** Makes a payment unpayable if still possible, and returns its state: it may be `paid`. */
  cancelPayment(c: GatewayContext, ref: ProviderRef, key: Keyed): Promise<PaymentSnapshot>

  startSetup?(c: GatewayContext, input: StartSetupInput): Promise<StartSetupResult>
  fetchSetup?(c: GatewayContext, setupId: string): Promise<SetupSnapshot>
  listMethods?(c: GatewayContext, customerId: string): Promise<readonly MethodSnapshot[]>
  /** Succeeds if the provider no longer has the method, however that was removed. */
  detachMethod?(c: GatewayContext, methodId: string): Promise<void>
  /** Tells the provider's portal which method is the customer's default. */
  setDefaultMethod?(c: GatewayContext, customerId: string, methodId: string): Promise<void>

  /**
   * Charges without the customer. Returns `paid` or `processing`; otherwise throws `declined`,
   * `authentication_required` or `method_gone`, with the failed payment in `ref`, which the caller
   * cancels before it lets the customer pay another way.
   */
  chargeSaved?(c: GatewayContext, input: ChargeSavedInput): Promise<PaymentSnapshot>

  /** Throws `already_done` if the money was refunded in another way: then read the refunds. */
  refund(c: GatewayContext, input: RefundInput): Promise<RefundSnapshot>
  fetchRefunds(c: GatewayContext, payment: ProviderRef): Promise<readonly RefundSnapshot[]>

  /** The url is a bearer link: not stored, not logged. */
  createPortalSession?(
    c: GatewayContext,
    input: PortalInput,
  ): Promise<{ readonly url: string; readonly expiresAt?: Instant }>

  /**
   * Registers our webhook address. A `newSecret` comes with a new endpoint only: store both before
   * the next call, which then removes the endpoints that the new one replaces.
   */
  ensureWebhook?(
    c: GatewayContext,
  ): Promise<{ readonly endpointId: string; readonly newSecret?: string }>

  /**
   * Verifies that a message is authentic and reads it; no database, no decision. Throws
   * `webhook_rejected`, or `not_found` if no secret is stored to verify it with.
   */
  receiveWebhook(c: GatewayContext, request: RawWebhook): Promise<readonly EventEnvelope[]>

  /** What an event means now. May be called any number of times, in any order. */
  observe(c: GatewayContext, event: EventEnvelope): Promise<readonly Observation[]>

  /** The provider's log of events since a time, newest first; the caller drops duplicates. */
  listChanges?(c: GatewayContext, since: Instant): AsyncIterable<EventEnvelope>

  /**
   * Every paid payment of ours that was created at the provider since a time. Throws `credentials`
   * if the account may not list payments.
   */
  listPayments?(c: GatewayContext, since: Instant): AsyncIterable<ListedPayment>
}
