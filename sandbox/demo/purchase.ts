import { type Answer, type Api, Refusal, submitForm, until } from './client.ts'
import { money, type Report } from './report.ts'
import { acceptedTerms } from './texts.ts'

export type Login = { email: string; password: string }

/** What the customer wants, and how they pay. */
export type Wanted = { slug: string; gatewayId: string }

/** A customer with an account: the one that is there, or a new one. */
export async function signIn(api: Api, login: Login, name = 'Ada Lovelace'): Promise<Api> {
  try {
    const { accessToken } = await api.post('/v1/auth/login', login)
    return api.as(accessToken)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error
    const { accessToken } = await api.post('/v1/auth/register', {
      ...{ ...login, name, country: 'FR', ...(await acceptedTerms(api)) },
    })
    return api.as(accessToken)
  }
}

/**
 * One whole purchase as a customer makes it: from the account to the game server. Fails when any
 * part of it does not come about.
 */
export async function purchase(
  shop: Api,
  login: Login,
  { slug, gatewayId }: Wanted,
  { step }: Report,
): Promise<Answer> {
  const product = await step(
    'looks at a product',
    () => shop.get(`/v1/store/products/${slug}`),
    ({ name }) => name,
  )
  const customer = await step('signs up, or in', () => signIn(shop, login))
  await step(
    'puts it into the cart',
    async () => {
      const cart = await customer.get('/v1/cart')
      // Left by a run that was interrupted.
      if (cart.items.length > 0) return cart
      return customer.post('/v1/cart/items', { planId: product.plans[0].id, name: SERVER_NAME })
    },
    ({ totalCents, currency }) => `${money(totalCents, currency)} with tax`,
  )
  const { invoice, payment, order } = await step(
    'checks out',
    async () => {
      const consents = { immediateStart: true, ...(await acceptedTerms(shop)) }
      return customer.post('/v1/billing/checkout', { gatewayId, ...consents })
    },
    (it) => it.order.number,
  )
  await step(
    'pays on the provider’s page',
    () => submitForm(payment.redirectUrl, { card: CARD, action: 'pay' }),
    () => `card ${CARD}`,
  )
  await step(
    'the provider reports it: invoice paid',
    () => until('the invoice is paid', () => inStatus(customer, 'billing/invoices', invoice.id)),
    ({ number }) => number,
  )
  const [serviceId] = order.items[0].serviceIds
  const service = await step(
    'the panel makes the server: service active',
    () => until('the service is active', () => activeService(customer, serviceId)),
    ({ panel }) => panel.address,
  )
  await step(
    'is notified',
    () => until('the customer is told', () => told(customer, service)),
    ({ title }) => title,
  )
  return service
}

const SERVER_NAME = 'My first world'
/** A card that the payment provider always takes. */
export const CARD = '4242424242424242'

async function inStatus(customer: Api, list: string, id: string): Promise<Answer | null> {
  const found = await customer.get(`/v1/${list}/${id}`)
  return found.status === 'paid' ? found : null
}

async function activeService(customer: Api, id: string): Promise<Answer | null> {
  const service = await customer.get(`/v1/services/${id}`)
  if (service.status !== 'failed') return service.status === 'active' ? service : null
  throw new Error(`The service has failed: ${service.failure.message}`)
}

async function told(customer: Api, { activatedAt }: Answer): Promise<Answer | null> {
  const { data } = await customer.get('/v1/notifications')
  const isNews = (it: Answer) => it.kind === 'service_active' && it.createdAt >= activatedAt
  return data.find(isNews) ?? null
}
