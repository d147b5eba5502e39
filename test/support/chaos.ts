import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '#sandbox/panel/state/clock.ts'
import { until } from './app.ts'
import { checkOut } from './checkout.ts'
import { type Answer, type Client, clientFor } from './client.ts'
import type { RealShop } from './real-shop.ts'

type Body = Answer['body']

/** Numbers by chance that come in the same order for the same seed. */
export type Chance = {
  /** From 0 up to, not including, `below`. */
  below(below: number): number
  oneOf<T>(choices: readonly T[]): T
}

export function chanceOf(seed: number): Chance {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  return {
    below,
    oneOf(choices) {
      const chosen = choices[below(choices.length)]
      assert.ok(chosen !== undefined)
      return chosen
    },
  }
}

const PAUSE_MS = 250
const PATIENCE_MS = 300_000

/**
 * A client that goes on asking until it is answered, whoever is killed meanwhile: each write has a key
 * of its own that stays the same over all its tries. `heard` is told of each try, null where nobody answered.
 */
export function stubborn(
  url: string,
  headers: Record<string, string>,
  heard: (answer: Answer | null, tookMs: number) => void = () => {},
) {
  const client = clientFor(url, headers)
  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const key = { 'idempotency-key': randomUUID() }
    const endMs = performance.now() + PATIENCE_MS
    for (;;) {
      const startMs = performance.now()
      const answer = await client
        .request(method, path, body, method === 'POST' ? { headers: key } : {})
        .catch(() => null)
      heard(answer, performance.now() - startMs)
      const isOver = answer && answer.status < 500 && answer.body?.code !== 'in_progress'
      if (isOver) return answer
      if (performance.now() > endMs) {
        throw new Error(`No answer to ${method} ${path}, the last: ${answer?.text}`)
      }
      await sleep(PAUSE_MS)
    }
  }
  return {
    get: (path: string) => ask('GET', path),
    post: (path: string, body: object = {}) => ask('POST', path, body),
  }
}

export type Stubborn = ReturnType<typeof stubborn>

/** A client that goes on asking, and one that asks once. */
export type KeyHolder = Stubborn & { readonly once: Client }

/** Somebody with a key that outlives kills and every movement of the clock. */
export async function keyHolder(shop: RealShop, signedIn: Client): Promise<KeyHolder> {
  // A database that is busy with others is no failure of ours.
  const { body } = await until('a key is made', async () => {
    const answer = await signedIn.post('/v1/api-keys', { permission: 'read-write' })
    assert.ok(answer.status === 201 || answer.status === 503, answer.text)
    return answer.status === 201 && answer
  })
  const headers = { authorization: `Bearer ${body.key}` }
  return { ...stubborn(shop.url, headers), once: clientFor(shop.url, headers) }
}

/** A customer who buys, pays each invoice once, and changes what they have. */
export type Buyer = {
  readonly me: Stubborn
  /** Orders one server, and pays for it. */
  buy(planId: string): Promise<void>
  /** Pays what was ordered and not paid yet, as far as there is a page for it just now. */
  payWhatIsOpen(): Promise<void>
  /** Moves a service to another product, and pays for that; false when it is refused just now. */
  upgrade(serviceId: string, productId: string): Promise<boolean>
}

export function buyerOf(shop: Pick<RealShop, 'gatewayId' | 'pay'>, me: Stubborn): Buyer {
  const paid = new Set<string>()
  async function payWhatIsOpen(): Promise<void> {
    const { body } = await me.get('/v1/billing/invoices?limit=100')
    for (const { id, status } of body.data as Body[]) {
      if (paid.has(id) || (status !== 'open' && status !== 'pending')) continue
      const { gatewayId } = shop
      const answer = await me.post(`/v1/billing/invoices/${id}/pay`, { gatewayId })
      if (!answer.body?.redirectUrl) continue
      await shop.pay(answer.body.redirectUrl)
      paid.add(id)
    }
  }
  async function orders(): Promise<number> {
    return (await me.get('/v1/billing/orders?limit=100')).body.data.length
  }
  return {
    ...{ me, payWhatIsOpen },
    async buy(planId) {
      const before = await orders()
      await me.post('/v1/cart/items', { planId })
      const placed = await until(
        'the order before is paid',
        async () => {
          const answer = await checkOut(me, { gatewayId: shop.gatewayId })
          if (answer.body?.code !== 'order_open') return answer
          // Its payment was not heard of yet, or there was no page for it.
          await payWhatIsOpen()
          return false
        },
        { waitMs: PATIENCE_MS },
      )
      // Its answer may be lost for good; what it did is not.
      assert.equal(await orders(), before + 1, `one order more: ${placed.text}`)
      await payWhatIsOpen()
    },
    async upgrade(serviceId, productId) {
      const wish = { productId, gatewayId: shop.gatewayId }
      const { status } = await me.post(`/v1/services/${serviceId}/upgrade`, wish)
      await payWhatIsOpen()
      return status === 200
    },
  }
}

/** Runs work on all of a list, so many at once. */
export async function each<T>(
  list: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...list]
  async function go(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, go))
}

/** Does something again and again until it is told to stop; the last time is waited for. */
export function meanwhile(everyMs: () => number, work: () => Promise<void>) {
  const end = new AbortController()
  const running = (async () => {
    while (!end.signal.aborted) {
      await sleep(everyMs(), null, { signal: end.signal }).catch(() => {})
      if (!end.signal.aborted) await work()
    }
  })()
  return {
    async stop(): Promise<void> {
      end.abort()
      await running
    },
  }
}
