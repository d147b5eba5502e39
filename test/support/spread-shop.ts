import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import { until } from './app.ts'
import { type Buyer, buyerOf, stubborn } from './chaos.ts'
import { type Answer, clientFor } from './client.ts'
import { fill, payOnPage, SECRET_KEY, startPanel, startProvider, TOKEN } from './real-shop.ts'
import { type Controls, controlsOf } from './sandbox.ts'
import { type Several, several } from './several.ts'

type Body = Answer['body']

/** Several processes, a provider and a panel, and what a customer who buys through all of it sees. */
export type SpreadShop = Several & {
  readonly provider: Controls
  readonly panel: Controls
  /** What the database holds, past the service. */
  sql(text: string, values?: unknown[]): Promise<Body[]>
  /** Somebody new, who talks to one of the processes for requests. */
  buyer(api: number): Promise<SpreadBuyer>
  /** An hour goes by for those who work: what others had taken on and left is free. */
  hourPasses(): Promise<void>
  /** Waits until so many services are active, and no piece of work is left; then looks for what is wrong. */
  assertWhole(purchases: number): Promise<void>
}

export type SpreadBuyer = Buyer & {
  /** What was answered so far, by status; 0 where nobody answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** How long the longest answer took. */
  readonly slowestMs: number
  /** Answers of 503 that did not say when to come again. */
  readonly withoutRetry: number
  /** What was answered with 500. */
  readonly faults: readonly string[]
  /** Buys one server, and looks until it has it. */
  buyAndWait(): Promise<void>
}

const PASSWORD = 'a long enough password'
const MANY = '100000'
const PATIENCE = { waitMs: 300_000, everyMs: 500 }

/** Starts everything; `more` is what the processes are started with besides. */
export async function spreadShop(more: Record<string, string> = {}): Promise<SpreadShop> {
  const [provider, panel] = await Promise.all([
    startProvider(),
    startPanel({ ...{ RATE_LIMIT: '60000', PORTS_PER_NODE: '5000' }, ...ROOMY }),
  ])
  after(() => Promise.all([provider.kill(), panel.kill()]))
  const providerUrl: string = JSON.parse(provider.ready).url
  const shop = await several({
    MOORAGE_SANDBOX_PROVIDER_URL: providerUrl,
    MOORAGE_PRIVATE_HOSTS: new URL(panel.ready).host,
    ...{ RATE_LIMIT_GENERAL: MANY, RATE_LIMIT_AUTH: MANY, RATE_LIMIT_PERSON: MANY },
    MOORAGE_MOVABLE_CLOCK: 'on',
    ...more,
  })
  const sold = await fill(shop.admin(shop.apis[0].url), panel.ready)
  const atPanel = controlsOf({ url: panel.ready, controlToken: TOKEN })
  const database = new pg.Pool({ connectionString: shop.databaseUrl, max: 2 })
  database.on('error', () => {})
  after(() => database.end())
  const sql = async (text: string, values: unknown[] = []): Promise<Body[]> =>
    (await database.query(text, values)).rows
  let buyers = 0

  async function buyer(api: number): Promise<SpreadBuyer> {
    buyers += 1
    const url = shop.apis[api % 2]?.url ?? ''
    const login = { email: `buyer${buyers}@example.com`, password: PASSWORD }
    const wanted = { ...login, name: 'Ada Lovelace', country: 'FR' }
    const made = await clientFor(url).post('/v1/auth/register', wanted)
    assert.equal(made.status, 201, made.text)
    const { body } = await clientFor(url).post('/v1/auth/login', login)
    const session = { authorization: `Bearer ${body.accessToken}` }
    const { key } = (await clientFor(url, session).post('/v1/api-keys', KEY)).body
    const statuses = new Map<number, number>()
    const faults: string[] = []
    let [slowestMs, withoutRetry] = [0, 0]
    const me = stubborn(url, { authorization: `Bearer ${key}` }, (answer, tookMs) => {
      const status = answer?.status ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      slowestMs = Math.max(slowestMs, tookMs)
      if (status === 503 && !answer?.headers['retry-after']) withoutRetry += 1
      if (status === 500) faults.push(answer?.text ?? '')
    })
    const bought = buyerOf({ gatewayId: sold.gatewayId, pay: payOnPage }, me)
    let purchases = 0
    return {
      ...bought,
      ...{ statuses, faults },
      get slowestMs() {
        return slowestMs
      },
      get withoutRetry() {
        return withoutRetry
      },
      async buyAndWait() {
        await bought.buy(sold.planId)
        purchases += 1
        const active = async () => {
          await bought.payWhatIsOpen()
          const { body } = await me.get('/v1/services?limit=100')
          return body.data.filter((it: Body) => it.status === 'active').length === purchases
        }
        await until('the server is there', active, PATIENCE)
      },
    }
  }

  async function hourPasses(): Promise<void> {
    const admin = shop.admin(shop.apis[0].url)
    const moved = await admin.post('/v1/admin/clock', { advanceSeconds: 3600 })
    assert.equal(moved.status, 200, moved.text)
    // A process reads where the clock stands when it starts.
    await Promise.all(
      shop.workers.map(async (it) => {
        await it.end()
        await it.start()
      }),
    )
  }

  async function assertWhole(purchases: number): Promise<void> {
    const isDone = async () => (await sql(OPEN_WORK))[0]?.count === 0
    await until('no work is left', isDone, PATIENCE)
    const [counted] = await sql(COUNTED)
    const { servers } = await atPanel.get<{ servers: Body[] }>('servers')
    const charges = await succeeded(providerUrl)
    assert.deepEqual(
      { ...counted, servers: servers.length, charges },
      Object.fromEntries(THINGS.map((it) => [it, purchases])),
    )
    const { body: failed } = await shop.admin(shop.apis[0].url).get('/v1/admin/jobs')
    assert.deepEqual(failed.data, [], 'nothing was given up')
    assert.match(await shop.command('doctor'), /Everything is in order/)
  }

  return {
    ...shop,
    provider: controlsOf({ url: providerUrl, controlToken: TOKEN }),
    panel: atPanel,
    ...{ sql, buyer, hourPasses, assertWhole },
  }
}

const KEY = { permission: 'read-write' }
const ROOMY = { NODES: '1', MEMORY: '100000000', DISK: '100000000' }

/** Each of them is there as often as somebody bought. */
const THINGS = ['orders', 'paid', 'payments', 'numbers', 'active', 'servers', 'charges']
const COUNTED = `select
  (select count(*) from orders.orders)::int as orders,
  (select count(*) from billing.invoices where status = 'paid')::int as paid,
  (select count(*) from billing.payments)::int as payments,
  (select count(distinct number) from billing.invoices)::int as numbers,
  (select count(*) from services.services where activated_at is not null)::int as active`

/** Jobs that wait or run, but for those of a later day; and messages nobody has read. */
const OPEN_WORK = `select (
  (select count(*) from jobs.job where name <> 'dead-letters'
     and state in ('created', 'retry', 'active') and start_after < now() + interval '10 minutes')
  + (select count(*) from billing.provider_events where state = 'new'))::int as count`

async function succeeded(providerUrl: string): Promise<number> {
  let count = 0
  for (let last = ''; ; ) {
    const more = last && `&starting_after=${last}`
    const response = await fetch(`${providerUrl}/v1/charges?limit=100${more}`, {
      headers: { authorization: `Bearer ${SECRET_KEY}` },
    })
    const page = (await response.json()) as Body
    count += page.data.filter(({ status }: Body) => status === 'succeeded').length
    if (!page.has_more) return count
    last = page.data.at(-1).id
  }
}
