import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { isIban } from '#lib/iban.ts'
import { Line } from '#lib/schema.ts'
import type {
  AccountSnapshot,
  GatewayContext,
  PaymentGateway,
  RefundInput,
  StartPaymentInput,
  StartPaymentResult,
} from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { Money, RefundSnapshot } from '../snapshots.ts'
import { inGroups, referenceOf } from './reference.ts'

const closed = { additionalProperties: false } as const

/** The account that customers transfer to, as they will see it. */
const BankTransferSettings = Type.Object(
  {
    holder: Line(70),
    iban: Type.String({ pattern: '^[A-Za-z]{2}[0-9]{2}[0-9A-Za-z ]{11,40}$' }),
    bic: Type.Optional(Type.String({ pattern: '^[A-Z]{6}[0-9A-Z]{2}([0-9A-Z]{3})?$' })),
    bankName: Type.Optional(Line(100)),
  },
  closed,
)
type BankTransferSettings = Static<typeof BankTransferSettings>

const BankTransferSecrets = Type.Object({}, closed)

/**
 * Transfers that a person finds on the bank statement: the driver tells the customer where to pay
 * and with which reference. There is no provider to ask, so every query throws `unsupported`; an
 * administrator records what came in and which refunds were sent.
 */
export function bankTransferGateway(): PaymentGateway {
  return {
    driver: 'bank_transfer',
    settingsSchema: BankTransferSettings,
    secretsSchema: BankTransferSecrets,
    capabilities: {
      checkout: 'instructions',
      icon: 'bank',
      saveMethod: 'none',
      chargeSaved: false,
      refund: 'manual',
      portal: false,
      disputes: false,
      webhook: 'none',
      listChanges: false,
      listPayments: false,
      currencies: 'any',
    },
    verifyCredentials: async (c) => verifyAccount(c),
    startPayment: async (c, input) => startPayment(c, input),
    settlePayment: async () => nobodyToAsk(),
    fetchPayment: async () => nobodyToAsk(),
    // Instructions create nothing at any provider, so there is nothing to find.
    findByAttempt: async () => null,
    cancelPayment: async () => nobodyToAsk(),
    refund: async (c, input) => refund(c, input),
    fetchRefunds: async () => nobodyToAsk(),
    receiveWebhook: async () => nobodyToAsk(),
    observe: async () => nobodyToAsk(),
  }
}

function settingsOf({ settings }: GatewayContext): BankTransferSettings {
  if (!Value.Check(BankTransferSettings, settings)) {
    throw new GatewayError('invalid_request', 'The bank account is not set up.')
  }
  if (!isIban(settings.iban)) {
    throw new GatewayError('invalid_request', 'The IBAN has a wrong digit or letter.')
  }
  return settings
}

function verifyAccount(context: GatewayContext): AccountSnapshot {
  const { iban } = settingsOf(context)
  const accountId = iban.replaceAll(' ', '').toUpperCase()
  return { accountId, mode: context.mode, country: accountId.slice(0, 2) }
}

/** The same invoice always has the same reference, however often its payment is started. */
function startPayment(context: GatewayContext, input: StartPaymentInput): StartPaymentResult {
  const { holder, iban, bic, bankName } = settingsOf(context)
  const { invoiceId, attemptId } = input.correlation
  const reference = referenceOf(invoiceId ?? attemptId)
  const lines = [
    { label: 'holder', value: holder },
    { label: 'iban', value: inGroups(iban) },
    ...(bic ? [{ label: 'bic', value: bic }] : []),
    ...(bankName ? [{ label: 'bank', value: bankName }] : []),
    { label: 'amount', value: textOf(input.amount) },
    { label: 'reference', value: inGroups(reference) },
  ]
  return {
    ref: { checkoutId: reference },
    state: 'action_required',
    next: { kind: 'instructions', lines, reference },
  }
}

/** A task for an administrator: pending until they record that the money was sent. */
function refund(context: GatewayContext, input: RefundInput): RefundSnapshot {
  return {
    refundId: `manual:${input.ourRefundId}`,
    payment: input.payment,
    ourRefundId: input.ourRefundId,
    amount: input.amount,
    state: 'pending',
    observedAt: context.now(),
  }
}

/** An amount with the currency's own number of decimals: `12.50 EUR`, `500 JPY`. */
function textOf({ amountCents, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  const digits = String(amountCents).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`} ${currency}`
}

function nobodyToAsk(): never {
  throw new GatewayError('unsupported', 'A bank transfer has no provider that could be asked.')
}
