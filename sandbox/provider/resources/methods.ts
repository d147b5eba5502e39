import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import {
  cardNamed,
  type Decline,
  EXPIRED,
  findAccount,
  findCard,
  hasValidCheckDigit,
  type TestCard,
} from '../cards.ts'
import { invalid, noSuch, ProviderError } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, type Sandbox } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { Nature, PaymentMethod } from '../store.ts'
import { announce } from './events.ts'

/** Years a test card is good for when nobody says otherwise. */
const GOOD_FOR_YEARS = 8

/**
 * The method of an id. A shared name such as `pm_card_visa` makes a new method each time. 404, or
 * 400 naming the parameter, for none.
 */
export function findMethod(sandbox: Sandbox, id: string, param?: string): PaymentMethod {
  const method = sandbox.store.paymentMethods.get(id)
  if (method) return method
  const card = id.startsWith('pm_') ? cardNamed(id) : undefined
  if (!card) throw noSuch('PaymentMethod', id, param)
  return newMethod(sandbox, card.number)
}

/** A new method for a test card's or test account's number, which the store must know. */
export function newMethod(sandbox: Sandbox, number: string, fields: Known = {}): PaymentMethod {
  const card = findCard(number)
  const account = findAccount(number)
  if (!card && !account) throw new TypeError('Only test numbers become payment methods')
  const details = card ? cardDetails(sandbox, card, fields.expiry) : accountDetails(number)
  const method = resource<PaymentMethod>('PaymentMethod', {
    ...born(sandbox),
    id: newId('pm'),
    allow_redisplay: 'unspecified',
    ...details,
    billing_details: fields.billing ?? {},
    metadata: fields.metadata ?? {},
  })
  sandbox.store.paymentMethods.set(method.id, method)
  sandbox.store.natures.set(method.id, { number, setUp: false, spent: false })
  return method
}

type Expiry = { month: number; year: number }
type Known = {
  expiry?: Expiry
  billing?: Stripe.PaymentMethod.BillingDetails
  metadata?: Record<string, string>
}

function cardDetails({ clock }: Sandbox, { number, brand }: TestCard, expiry?: Expiry) {
  const year = new Date(clock.now()).getUTCFullYear() + GOOD_FOR_YEARS
  const card = resource<Stripe.PaymentMethod.Card>('PaymentMethod.Card', {
    brand,
    display_brand: brand,
    country: 'US',
    exp_month: expiry?.month ?? 12,
    exp_year: expiry?.year ?? year,
    fingerprint: fingerprintOf(number),
    funding: 'credit',
    last4: number.slice(-4),
    networks: { available: [brand] },
    checks: { cvc_check: 'pass' },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
  })
  return { type: 'card', card } as const
}

function accountDetails(number: string) {
  const sepa = { bank_code: number.slice(4, 9), country: number.slice(0, 2) }
  const details = { ...sepa, last4: number.slice(-4), fingerprint: fingerprintOf(number) }
  const sepa_debit = resource<Stripe.PaymentMethod.SepaDebit>('PaymentMethod.SepaDebit', details)
  return { type: 'sepa_debit', sepa_debit } as const
}

/** The same for each method made of one number. */
function fingerprintOf(number: string): string {
  const hash = createHash('sha256').update(`fingerprint ${number}`).digest('base64')
  return hash.replace(/[^A-Za-z0-9]/g, '').slice(0, 16)
}

export function natureOf({ store }: Sandbox, { id }: PaymentMethod): Nature {
  const nature = store.natures.get(id)
  if (!nature) throw new TypeError(`The payment method ${id} has no nature`)
  return nature
}

/** What a bank says to a charge of this method now; undefined when it agrees. */
export function declineOf(sandbox: Sandbox, method: PaymentMethod): Decline | undefined {
  if (hasExpired(sandbox, method)) return EXPIRED
  return findCard(natureOf(sandbox, method).number)?.decline
}

function hasExpired({ clock }: Sandbox, { card }: PaymentMethod): boolean {
  // A card is good to the end of its month.
  return card !== undefined && clock.now() >= Date.UTC(card.exp_year, card.exp_month)
}

/** 402: the bank said no. Whatever the refusal was about goes into the error. */
export function declined(decline: Decline, about: object = {}): ProviderError {
  const { code, reason, message, advice } = decline
  return new ProviderError(402, {
    type: 'card_error',
    code,
    message,
    decline_code: reason,
    ...(advice && { advice_code: advice }),
    ...about,
  })
}

/** Gives a method to a customer. 402 for a card that refuses it, 400 for one of somebody else. */
export function attach(sandbox: Sandbox, method: PaymentMethod, customer: string): void {
  if (method.customer === customer) return
  assertUsable(sandbox, method)
  if (method.customer) {
    throw invalid('The payment method you provided has already been attached to a customer.')
  }
  const { number } = natureOf(sandbox, method)
  const card = findCard(number)
  if (card?.refusesSaving && card.decline) throw declined(card.decline)
  method.customer = customer
  announce(sandbox, 'payment_method.attached', method)
}

/** 400 for a method that was detached, or paid without belonging to a customer. */
export function assertUsable(sandbox: Sandbox, method: PaymentMethod): void {
  if (method.customer === null && natureOf(sandbox, method).spent) {
    throw invalid(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer ' +
        'attachment, or was detached from a Customer. It may not be used again.',
      { param: 'payment_method' },
    )
  }
}

/** Takes a method away from its customer, for good; it stops being the default. */
export function detach(sandbox: Sandbox, method: PaymentMethod): void {
  const { customer: id } = method
  const customer = sandbox.store.customers.get(id ?? '')
  method.customer = null
  natureOf(sandbox, method).spent = true
  announce(sandbox, 'payment_method.detached', method, { customer: id })
  if (customer?.invoice_settings.default_payment_method === method.id) {
    const before = { invoice_settings: structuredClone(customer.invoice_settings) }
    customer.invoice_settings.default_payment_method = null
    announce(sandbox, 'customer.updated', customer, before)
  }
}

/** Makes a card run out, as banks do: the next charge is declined. 400 for anything but a card. */
export function expireCard(sandbox: Sandbox, method: PaymentMethod): void {
  const { card } = method
  if (!card) throw invalid('Only a card can expire.')
  const before = { card: { exp_month: card.exp_month, exp_year: card.exp_year } }
  const lastYear = new Date(sandbox.clock.now()).getUTCFullYear() - 1
  card.exp_year = Math.min(card.exp_year, lastYear)
  announce(sandbox, 'payment_method.automatically_updated', method, before)
}

function create(sandbox: Sandbox, params: Stripe.PaymentMethodCreateParams): PaymentMethod {
  if (params.payment_method) {
    throw invalid('The sandbox does not clone payment methods.', { param: 'payment_method' })
  }
  const fields = {
    billing: billingOf(params.billing_details),
    metadata: mergedMetadata(null, params.metadata),
  }
  if (params.type === 'card') {
    if (!params.card) throw missing('card')
    const { number, expiry } = readCard(sandbox, params.card)
    return newMethod(sandbox, number, { ...fields, ...(expiry && { expiry }) })
  }
  if (params.type === 'sepa_debit') {
    const iban = params.sepa_debit?.iban.replaceAll(' ', '') ?? ''
    if (!findAccount(iban)) {
      throw invalid('The sandbox knows only its own test accounts.', { param: 'sepa_debit[iban]' })
    }
    return newMethod(sandbox, iban, fields)
  }
  if (!params.type) throw missing('type')
  throw invalid(`The sandbox has no payment methods of type ${params.type}.`, { param: 'type' })
}

function billingOf(
  details: Stripe.PaymentMethodCreateParams.BillingDetails | undefined,
): Stripe.PaymentMethod.BillingDetails {
  const { address, email, name, phone } = details ?? {}
  const known = { email: email || null, name: name || null, phone: phone || null }
  const place = address ? resource<Stripe.Address>('Address', address) : null
  return resource('PaymentMethod.BillingDetails', { ...known, address: place })
}

/** 402 for a number that cannot be one, or a date that has passed. Only test numbers are taken. */
function readCard(
  { clock }: Sandbox,
  card: Stripe.PaymentMethodCreateParams.Card,
): { number: string; expiry?: Expiry } {
  if (card.token) {
    const named = cardNamed(card.token)
    if (!named) throw noSuch('token', card.token, 'card[token]')
    return { number: named.number }
  }
  const { number: written, exp_month: month, exp_year: year } = card
  if (!written) throw missing('card[number]')
  if (month === undefined) throw missing('card[exp_month]')
  if (year === undefined) throw missing('card[exp_year]')
  const number = written.replace(/[ -]/g, '')
  if (!hasValidCheckDigit(number)) throw incorrect('number', 'incorrect_number', 'number')
  if (month < 1 || month > 12)
    throw incorrect('exp_month', 'invalid_expiry_month', 'expiration month')
  const expiry = { month, year: year < 100 ? 2000 + year : year }
  if (clock.now() >= Date.UTC(expiry.year, month)) {
    throw incorrect('exp_year', 'invalid_expiry_year', 'expiration year')
  }
  if (!findCard(number)) {
    throw declined({
      code: 'card_declined',
      reason: 'test_mode_live_card',
      message: 'Your card was declined. The sandbox takes test cards only.',
    })
  }
  return { number, expiry }
}

function incorrect(param: string, code: string, what: string): ProviderError {
  const message = `Your card's ${what} is invalid.`
  return new ProviderError(402, { type: 'card_error', code, message, param })
}

function missing(param: string): ProviderError {
  return invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' })
}

function retrieve(sandbox: Sandbox, _params: object, id: string): PaymentMethod {
  return findMethod(sandbox, id)
}

function update(
  sandbox: Sandbox,
  params: Stripe.PaymentMethodUpdateParams,
  id: string,
): PaymentMethod {
  const method = findMethod(sandbox, id)
  if (!method.customer) {
    throw invalid('You must save this PaymentMethod to a customer before you can update it.')
  }
  const before = structuredClone(method)
  const { card, billing_details: billing, allow_redisplay: redisplay, metadata } = params
  if (method.card && card?.exp_month !== undefined) method.card.exp_month = card.exp_month
  if (method.card && card?.exp_year !== undefined) method.card.exp_year = card.exp_year
  if (billing) method.billing_details = { ...method.billing_details, ...given(billingOf(billing)) }
  if (redisplay) method.allow_redisplay = redisplay
  method.metadata = mergedMetadata(method.metadata, metadata)
  const { billing_details, metadata: old, card: oldCard } = before
  announce(sandbox, 'payment_method.updated', method, {
    billing_details,
    metadata: old,
    ...(oldCard && { card: oldCard }),
  })
  return method
}

function given<T extends object>(fields: T): Partial<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as Partial<T>
}

function attachTo(
  sandbox: Sandbox,
  { customer }: Stripe.PaymentMethodAttachParams,
  id: string,
): PaymentMethod {
  const method = findMethod(sandbox, id)
  if (!customer) throw missing('customer')
  if (!sandbox.store.customers.has(customer)) throw noSuch('customer', customer, 'customer')
  attach(sandbox, method, customer)
  return method
}

function detachFrom(sandbox: Sandbox, _params: object, id: string): PaymentMethod {
  const method = findMethod(sandbox, id)
  if (!method.customer) {
    throw invalid('The payment method you provided is not attached to a customer.')
  }
  detach(sandbox, method)
  return method
}

function list(sandbox: Sandbox, params: Stripe.PaymentMethodListParams): object {
  const { customer, type } = params
  const rows = [...sandbox.store.paymentMethods.values()].filter(
    (it) => it.customer !== null && it.customer === customer && (!type || it.type === type),
  )
  return listOf(rows, { url: '/v1/payment_methods', page: params })
}

export const methodOperations: Operations = {
  'GET /v1/payment_methods': operation(list),
  'POST /v1/payment_methods': operation(create),
  'GET /v1/payment_methods/{payment_method}': operation(retrieve),
  'POST /v1/payment_methods/{payment_method}': operation(update),
  'POST /v1/payment_methods/{payment_method}/attach': operation(attachTo),
  'POST /v1/payment_methods/{payment_method}/detach': operation(detachFrom),
}
