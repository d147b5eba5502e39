import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { apiAt, submitForm, until } from '#sandbox/demo/client.ts'
import { CARD, type Login } from '#sandbox/demo/purchase.ts'
import { acceptedTerms } from '#sandbox/demo/texts.ts'
import { root } from './ground.ts'

/** The shop of `npm run demo`, in a process of its own. */
export type Demo = {
  readonly url: string
  readonly admin: Login
  /** A customer with a history of two months. */
  readonly customer: Login
  /** Product and plan of the first offer. */
  readonly offer: { readonly slug: string; readonly planId: string }
  readonly gatewayId: string
  stop(): Promise<void>
}

/** Starts the demo with its data in a folder, and waits until its shop is filled. */
export async function startDemo(dataDir: string): Promise<Demo> {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [path.join(root, 'sandbox/demo.ts')], {
    cwd: root,
    // The limiter counts as always; it is not what is measured when it refuses.
    env: {
      ...{ ...env, MOORAGE_DATA_DIR: dataDir },
      ...{ RATE_LIMIT_GENERAL: '1000000', RATE_LIMIT_PERSON: '1000000' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const serving = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('Serving')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The demo ended with ${code}`)))
  })
  await serving
  const file = path.join(dataDir, 'demo.json')
  const { baseUrl, admin, regular, provider, products } = JSON.parse(fs.readFileSync(file, 'utf8'))
  return {
    ...{ url: baseUrl, admin, customer: regular },
    ...{ offer: products[0], gatewayId: provider.gatewayId },
    async stop() {
      const end = once(child, 'exit')
      child.kill('SIGINT')
      await end
    },
  }
}

/** The cookie of a new browser session, as a `cookie` header has it. */
export async function sessionCookie({ url }: Demo, login: Login): Promise<string> {
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ ...login, transport: 'cookie' }),
  })
  return cookieOf(answer)
}

/** The cookie of a visitor without an account who has put the offer into the cart. */
export async function cartCookie({ url, offer }: Demo): Promise<string> {
  const answer = await fetch(`${url}/cart/items`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ product: offer.slug, plan: offer.planId, name: '' }),
  })
  return cookieOf(answer)
}

function cookieOf(answer: Response): string {
  const [line = ''] = answer.headers.getSetCookie()
  const [cookie = ''] = line.split(';')
  if (cookie === '') throw new Error(`${answer.url} answered ${answer.status} without a cookie`)
  return cookie
}

/** What the customer has: one of their servers, and a purchase whose server has been set up. */
export type Possessions = { readonly serviceId: string; readonly paymentId: string }

/** Buys the offer as the customer; returns the payment once the server is active. */
export async function bought({ url, customer, offer, gatewayId }: Demo): Promise<Possessions> {
  const shop = apiAt({ url })
  const { accessToken } = await shop.post('/v1/auth/login', customer)
  const person = shop.as(accessToken)
  await person.post('/v1/cart/items', { planId: offer.planId, name: 'Lighthouse' })
  const consents = { immediateStart: true, ...(await acceptedTerms(shop)) }
  const { order, payment } = await person.post('/v1/billing/checkout', { gatewayId, ...consents })
  await submitForm(payment.redirectUrl, { card: CARD, action: 'pay' })
  const [serviceId] = order.items[0].serviceIds
  await until('the server is active', async () => {
    const { status } = await person.get(`/v1/services/${serviceId}`)
    return status === 'active'
  })
  return { serviceId, paymentId: payment.id }
}
