import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Decline } from './error.ts'

/** An amount in the smallest unit of an ISO 4217 currency, upper case: 500 JPY is 500. */
export interface Money {
  readonly amountCents: Cents
  readonly currency: string
}

/** The provider's own ids of a payment; which of them exist depends on the driver. */
export interface ProviderRef {
  readonly checkoutId?: string
  readonly paymentId?: string
  readonly customerId?: string
}

/** Our ids, stored with everything we create at a provider so that it can be matched again. */
export interface Correlation {
  readonly installationId: string
  readonly tenantId: string
  readonly gatewayId: string
  readonly attemptId: string
  readonly invoiceId?: string
}

export type Mode = 'test' | 'live'

/**
 * `open`: the customer has not finished and may still try. `action_required`: the customer must do
 * something. `processing`: the customer is done, but the payment is not certain yet. Only `paid` is
 * final.
 */
export type PaymentState =
  | 'open'
  | 'action_required'
  | 'processing'
  | 'paid'
  | 'failed'
  | 'canceled'
  | 'expired'

/**
 * What a provider reports about a payment at one time. All amounts are totals so far, so applying a
 * snapshot twice, or an old one late, does no harm.
 */
export interface PaymentSnapshot {
  readonly ref: ProviderRef
  readonly correlation?: Partial<Correlation>
  readonly state: PaymentState
  readonly requested: Money
  /** 0 until paid. Taken from the provider, never from our request. */
  readonly received: Money
  readonly refundedCents: Cents
  readonly disputedCents: Cents
  readonly paidAt?: Instant
  /** The provider's fee, in the currency of the settlement. */
  readonly fee?: Money
  readonly method?: MethodSnapshot
  /** The last decline, also while the customer may still try again. */
  readonly failure?: Decline
  /** The customer has agreed: the money comes after a call of `settlePayment`. */
  readonly toSettle?: true
  /** Set before the provider was asked: of two snapshots the later one is never older. */
  readonly observedAt: Instant
}

export type MethodKind = 'card' | 'sepa_debit' | 'paypal' | 'bank_transfer' | 'other'

/** A way to pay, without anything that could be charged elsewhere. */
export interface MethodSnapshot {
  readonly methodId: string
  readonly kind: MethodKind
  readonly reusableOffSession: boolean
  readonly brand?: string
  readonly last4?: string
  readonly expMonth?: number
  readonly expYear?: number
  /** The same for the same card, whoever its user is. */
  readonly fingerprint?: string
  /** Where the card or account was issued: ISO 3166 code. */
  readonly country?: string
  readonly label?: string
  readonly state: 'usable' | 'pending' | 'gone'
}

export type SetupState =
  | 'open'
  | 'action_required'
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'canceled'
  | 'expired'

/**
 * The state of saving a method. `setupId` is the id of the object that was read, which may differ
 * from the one `startSetup` returned: match by `correlation.attemptId` first.
 */
export interface SetupSnapshot {
  readonly setupId: string
  readonly customerId?: string
  readonly correlation?: Partial<Correlation>
  readonly state: SetupState
  readonly method?: MethodSnapshot
  readonly failure?: Decline
  readonly observedAt: Instant
}

export type RefundState = 'pending' | 'action_required' | 'succeeded' | 'failed' | 'canceled'

/** One refund. Without `ourRefundId` it was made at the provider. */
export interface RefundSnapshot {
  readonly refundId: string
  readonly payment: ProviderRef
  readonly ourRefundId?: string
  readonly amount: Money
  readonly state: RefundState
  readonly failureCode?: string
  readonly observedAt: Instant
}

export type DisputeState =
  | 'inquiry'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'
  | 'closed_without_loss'

/** One dispute. `fundsHeldCents` is what has left and not come back, in the disputed currency. */
export interface DisputeSnapshot {
  readonly disputeId: string
  readonly payment: ProviderRef
  readonly amount: Money
  readonly state: DisputeState
  readonly fundsHeldCents: Cents
  readonly feeCents: Cents
  /** The settlement's currency, which need not be the disputed one. */
  readonly feeCurrency: string
  readonly reason?: string
  readonly respondBy?: Instant
  readonly observedAt: Instant
}

export type IgnoredReason = 'not_ours' | 'other_gateway' | 'other_mode' | 'irrelevant_type'

/** One fact learnt from an event. A refund or dispute comes after the payment it belongs to. */
export type Observation =
  | { readonly type: 'payment'; readonly payment: PaymentSnapshot }
  | { readonly type: 'setup'; readonly setup: SetupSnapshot }
  | { readonly type: 'refund'; readonly refund: RefundSnapshot }
  | { readonly type: 'dispute'; readonly dispute: DisputeSnapshot }
  | { readonly type: 'method'; readonly customerId?: string; readonly method: MethodSnapshot }
  | {
      readonly type: 'default_method'
      readonly customerId: string
      readonly methodId: string | null
    }
  | { readonly type: 'customer_gone'; readonly customerId: string }
  /** An object with this gateway's ids that was created in another account than the gateway's. */
  | { readonly type: 'elsewhere'; readonly objectId: string; readonly accountId: string }
  | { readonly type: 'ignored'; readonly why: IgnoredReason }
