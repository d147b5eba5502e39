import type { GatewayOffer } from '#platform/area.ts'
import type { RegistrationMode } from '#users'
import type { ShopFacts } from '../accounts/fields.ts'
import { cartFor, type ShownCart, type TypedPlace } from '../cart/cart.ts'
import type { Visit } from '../visit.ts'

export type Me = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly locale: string
  readonly company: string | null
  readonly vatNumber: string | null
  readonly country: string | null
  readonly phone: string | null
  readonly address: {
    readonly line1: string
    readonly postcode: string
    readonly city: string
    readonly country: string
  } | null
}

export type Method = {
  readonly id: string
  readonly brand: string | null
  readonly last4: string | null
  readonly label: string | null
  readonly kind: string
  readonly default: boolean
}

/** A gateway that a buyer can choose. */
export type GatewayChoice = Pick<GatewayOffer, 'id' | 'name' | 'icon'>

/** The ways in which a customer can pay: saved methods, and the gateways of the shop. */
export type Ways = {
  readonly methods: readonly Method[]
  readonly gateways: readonly GatewayChoice[]
}

/** What the checkout page shows. */
export type CheckoutData = Ways & {
  readonly cart: ShownCart
  readonly me: Me | null
  readonly creditCents: number
  readonly shopCountry: string
  readonly registration: RegistrationMode
  /** Whether a guest confirms the address of a new account before the order. */
  readonly confirmsFirst: boolean
}

/** Reads the ways in which a customer can pay something. */
export async function waysFor(visit: Visit): Promise<Ways> {
  const [{ gateways }, methods] = await Promise.all([
    visit.call<Pick<Ways, 'gateways'>>('GET', '/v1/meta'),
    visit.call<{ data: Method[] }>('GET', '/v1/billing/payment-methods'),
  ])
  return { gateways, methods: methods.data }
}

/** Reads the cart, priced for the place that the buyer entered, the buyer, and the ways they can pay. */
export async function checkoutFor(visit: Visit, typed: TypedPlace = {}): Promise<CheckoutData> {
  const [cart, meta] = await Promise.all([
    cartFor(visit, typed),
    visit.call<ShopFacts & Pick<Ways, 'gateways'>>('GET', '/v1/meta'),
  ])
  const { gateways, country: shopCountry, registration } = meta
  const confirmsFirst = meta.confirmBeforeSession && !visit.session
  const shop = { cart, gateways, shopCountry, registration, confirmsFirst }
  if (!visit.session) return { ...shop, me: null, methods: [], creditCents: 0 }
  const [me, methods, credit] = await Promise.all([
    visit.call<Me>('GET', '/v1/users/me'),
    visit.call<{ data: Method[] }>('GET', '/v1/billing/payment-methods'),
    visit.call<{ balanceCents: number }>(
      'GET',
      `/v1/billing/credits?limit=1&currency=${cart.currency}`,
    ),
  ])
  return { ...shop, me, methods: methods.data, creditCents: credit.balanceCents }
}
