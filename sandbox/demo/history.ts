import { DAY_MS, HOUR_MS } from '#lib/time.ts'
import { moveClock } from '#platform/clock.ts'
import type { Deps } from '#platform/deps.ts'
import type { Provider } from '#sandbox/provider/server.ts'
import { type Answer, type Api, submitForm, until } from './client.ts'
import { CARD, type Login, signIn } from './purchase.ts'
import { acceptedTerms } from './texts.ts'

/** Before so many days the customer with a history came: two months, and what an unpaid invoice takes. */
const DAYS_AGO = 68

/**
 * Sets the clock of a fresh installation back to where the history begins, and answers whether it did. A clock
 * that an interrupted run left behind is set right instead: what is sold already has dates of its own.
 */
export async function goBack(
  { config, database, clock }: Deps,
  admin: Api,
  provider: Provider,
): Promise<boolean> {
  if (!config.movableClock) return false
  if (clock.offsetMs < 0) await moveClock(database, clock, -clock.offsetMs)
  provider.setClock(clock.offsetMs)
  const { data } = await admin.get('/v1/admin/products?limit=1')
  if (data.length > 0) return false
  await moveClock(database, clock, -DAYS_AGO * DAY_MS)
  provider.setClock(clock.offsetMs)
  return true
}

/** The name of the keys that the history is lived through with. */
const KEY = 'History of the demo'

/** The clocks of the history: the provider dates payments by its own, so both show the same time. */
type Clocks = { readonly clock: Deps['clock']; readonly provider: Provider }

type History = {
  readonly login: Login
  readonly gatewayId: string
  /** The first two are paid every month; the last is not, in the end. */
  readonly planIds: readonly string[]
}

/**
 * Lives through two months of a customer with three servers: renewed together, until the customer leaves the
 * last invoice of one of them unpaid and it is suspended. Ends with the clock where it was before
 * `goBack`. All through the public API, with the clock that it moves.
 */
export async function liveThroughMonths(
  shop: Api,
  staff: Api,
  { login, gatewayId, planIds }: History,
  clocks: Clocks,
): Promise<void> {
  const { clock } = clocks
  const admin = await withKey(staff, clock)
  const customer = await withKey(await signIn(shop, login, 'Grace Hopper'), clock)
  for (const [index, planId] of planIds.entries()) {
    await customer.post('/v1/cart/items', { planId })
    const order = { gatewayId, immediateStart: true, ...(await acceptedTerms(shop)) }
    await pay((await customer.post('/v1/billing/checkout', order)).payment)
    await until('the server is active', async () => {
      const { data } = await customer.get('/v1/services')
      return data.length > index && data.every(isActive)
    })
  }
  const { data: services } = await customer.get('/v1/services')
  const left = services.find((it: Answer) => it.plan.id === planIds.at(-1))
  await goTo(admin, clocks, daysAround(left.currentPeriodEnd, 0.1))
  await payAll(customer, gatewayId, await openInvoices(customer, planIds.length))
  const due = await until('the server is renewed', async () => {
    const { currentPeriodEnd } = await customer.get(`/v1/services/${left.id}`)
    return currentPeriodEnd > left.currentPeriodEnd && currentPeriodEnd
  })
  await goTo(admin, clocks, daysAround(due, -1))
  const invoices = await openInvoices(customer, planIds.length)
  const kept = invoices.filter((it: Answer) => !concerns(it, left.id))
  await payAll(customer, gatewayId, kept)
  await goTo(admin, clocks, daysAround(due, 2.1))
  await until('the suspension is announced', async () => {
    const { data } = await customer.get('/v1/notifications')
    return data.some((it: Answer) => it.createdAt > daysAround(due, 2))
  })
  await goTo(admin, clocks, daysAround(due, 3.2))
  await until('the server is suspended', async () => {
    return (await customer.get(`/v1/services/${left.id}`)).status === 'suspended'
  })
  await goTo(admin, clocks, new Date().toISOString())
  await forgetKeys(customer)
  await forgetKeys(admin)
}

/** Deletes the key that a person lived through the history with: the last call that it makes. */
async function forgetKeys(person: Api): Promise<void> {
  const { data } = await person.get('/v1/api-keys')
  for (const { id, name } of data) if (name === KEY) await person.delete(`/v1/api-keys/${id}`)
}

/** The same person with a key, which lasts while the clock moves on, and no longer. */
async function withKey(person: Api, { offsetMs }: Deps['clock']): Promise<Api> {
  const expiresAt = new Date(Date.now() + Math.max(offsetMs, 0) + HOUR_MS).toISOString()
  const key = { name: KEY, permission: 'read-write', expiresAt }
  return person.as((await person.post('/v1/api-keys', key)).key)
}

async function goTo(admin: Api, { clock, provider }: Clocks, at: string): Promise<void> {
  const advanceSeconds = Math.ceil((Date.parse(at) - Date.parse(clock.now())) / 1000)
  await admin.post('/v1/admin/clock', { advanceSeconds: Math.max(advanceSeconds, 0) })
  provider.setClock(clock.offsetMs)
}

function daysAround(at: string, days: number): string {
  return new Date(Date.parse(at) + days * DAY_MS).toISOString()
}

const isActive = ({ status }: Answer): boolean => status === 'active'

/** The invoices that are to be paid, once there are enough for so many servers. */
function openInvoices(customer: Api, servers: number): Promise<Answer[]> {
  return until('the renewals are invoiced', async () => {
    const { data } = await customer.get('/v1/billing/invoices?status=open')
    const whole = await Promise.all(
      data.map(({ id }: Answer) => customer.get(`/v1/billing/invoices/${id}`)),
    )
    return whole.length === servers && whole
  })
}

function concerns(invoice: Answer, serviceId: string): boolean {
  return invoice.lines.some((it: Answer) => it.serviceId === serviceId)
}

async function payAll(customer: Api, gatewayId: string, invoices: Answer[]): Promise<void> {
  const invoiceIds = invoices.map(({ id }) => id)
  await pay(await customer.post('/v1/billing/pay', { invoiceIds, gatewayId }))
  for (const id of invoiceIds) {
    await until('the invoice is paid', async () => {
      return (await customer.get(`/v1/billing/invoices/${id}`)).status === 'paid'
    })
  }
}

/** Pays on the provider's page, and comes back from there as a browser does: that books the payment at once. */
async function pay({ redirectUrl }: Answer): Promise<void> {
  const back = await submitForm(redirectUrl, { card: CARD, action: 'pay' })
  if (back) await fetch(back, { redirect: 'manual' })
}
