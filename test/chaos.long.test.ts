import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { until } from '#test/app.ts'
import {
  type Buyer,
  buyerOf,
  chanceOf,
  each,
  keyHolder,
  meanwhile,
  type stubborn,
} from '#test/chaos.ts'
import type { Answer } from '#test/client.ts'
import { realShop } from '#test/real-shop.ts'
import { shopOf } from '#test/shop.ts'

type Body = Answer['body']

const SERVICES = Math.ceil(500 * Number(process.env.SCALE ?? 1))
const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
const SERVICES_OF_A_CUSTOMER = 10
const AT_ONCE = 6
const PATIENCE = { waitMs: 1_200_000, everyMs: 500 }
/** What is met often, and what takes long or stops everything until somebody looks. */
const OFTEN = [
  ...['commit-then-500', 'commit-then-hangup', 'truncated-json', 'empty-body', 'wrong-json'],
  ...['504-before', 'html-502', '429', 'conflict-409', 'latency'],
]
const KINDS = [...OFTEN, ...OFTEN, ...OFTEN, ...OFTEN, 'commit-then-hang', '401', '403']
const FATES = ['stay', 'upgrade', 'suspend', 'suspend and back', 'end', 'upgrade and end'] as const

/** Limits in MiB, by which a server shows what product it is of. */
const SMALL = { memoryMb: 1024, diskMb: 2048, cpuPercent: 100 }
const LARGE = { memoryMb: 2048, diskMb: 4096, cpuPercent: 200 }

test('500 services through failures and kills: panel, books and services agree in the end', {
  skip: !process.env.DATABASE_URL,
}, async (t) => {
  t.diagnostic(`CHAOS_SEED=${SEED}, ${SERVICES} services`)
  const chance = chanceOf(SEED)
  const run = await chaos()
  const { shop, sql } = run
  const buyers = await run.customers(Math.ceil(SERVICES / SERVICES_OF_A_CUSTOMER))
  await shop.panel.post('chaos', { share: 0.2, kinds: KINDS, seed: SEED })
  let kills = 0
  const killing = meanwhile(
    () => 15_000 + chance.below(25_000),
    async () => {
      kills += 1
      await shop.kill()
      // As whatever looks after processes does: one that cannot start yet is started again.
      for (let isUp = false; !isUp; )
        isUp = await shop.start().then(
          () => true,
          () => false,
        )
    },
  )
  // An hour in a minute, or services that were unlucky wait longer for their next try than anybody does.
  const time = meanwhile(
    () => 1000,
    () => run.timePasses(60),
  )
  const care = meanwhile(
    () => 2000,
    () => run.lookAfterPanel(),
  )
  const purchases = Array.from({ length: SERVICES }, (_, index) => index % buyers.length)
  const byBuyer = Map.groupBy(purchases, (it) => it)
  const fates = new Map<string, (typeof FATES)[number]>()
  const buying = each([...byBuyer], AT_ONCE, async ([index, its]) => {
    const buyer = buyers[index]
    assert.ok(buyer)
    for (const _ of its) await buyer.buy(run.small.plan.id)
  })
  /** Each service meets its fate once it is active; what is left is for operators, after the storm. */
  async function living(): Promise<void> {
    for (let idle = 0; fates.size < SERVICES && idle < 300; idle += 1) {
      const active = await sql(ACTIVE_BUT, [[...fates.keys()]])
      if (active.length > 0) idle = 0
      for (const { id } of active) fates.set(id, chance.oneOf(FATES))
      await each(active, AT_ONCE, ({ id, user_id }) => run.fulfil(id, fates.get(id), user_id))
      await sleep(500)
    }
  }
  try {
    await Promise.all([buying, living()])
  } finally {
    await Promise.all([killing.stop(), time.stop(), care.stop()])
  }
  await shop.panel.clearFaults()
  t.diagnostic(`killed ${kills} times; ${fates.size} services had been active by then`)

  try {
    await until('everything has come to rest', () => run.isAtRest(), PATIENCE)
  } catch (error) {
    t.diagnostic(`still open: ${JSON.stringify(await run.openWork())}`)
    throw error
  }
  await run.assertAgreement()
  assert.match(await shop.command('doctor'), /Everything is in order/)
})

async function chaos() {
  const shop = await realShop({
    panel: {
      ...{ NODES: '2', PORTS_PER_NODE: String(SERVICES + 200), RATE_LIMIT: '60000' },
      ...{ MEMORY: '100000000', DISK: '100000000' },
    },
  })
  const database = new pg.Pool({ connectionString: shop.databaseUrl ?? '', max: 4 })
  // Ends before the database of the shop goes, and does not mind when it is gone.
  database.on('error', () => {})
  after(() => database.end())
  const sql = async (text: string, values: unknown[] = []): Promise<Body[]> =>
    (await database.query(text, values)).rows
  const admin = await keyHolder(shop, shop.admin())
  const { small, large } = await products(shop)
  const buyers = new Map<string, Buyer>()

  /** Time goes by for everybody, unless the service is dead just now. */
  async function timePasses(advanceSeconds: number): Promise<void> {
    const moved = await admin.once.post('/v1/admin/clock', { advanceSeconds }).catch(() => null)
    if (moved?.status !== 200) return
    await shop.provider.post('clock', { advanceSeconds })
  }

  /** Somebody tries a key again that was refused once, unless the service is dead just now. */
  async function lookAfterPanel(): Promise<void> {
    await admin.once.post(`/v1/admin/nodes/${shop.nodeId}/test`).catch(() => null)
  }

  async function openWork(): Promise<Body> {
    const [row] = await sql(`select
      (select count(*) from services.services where paid_at is not null and activated_at is null
         and ended_at is null)::int as making,
      (select count(*) from services.services where failed_at is not null and ended_at is null
         and activated_at is null)::int as failed,
      (select count(*) from services.transitions where done_at is null)::int as changing,
      (select count(*) from services.upgrades where applied_at is null and failed_at is null
         and canceled_at is null)::int as upgrading,
      (select count(*) from billing.provider_events where state = 'new')::int as messages,
      (select count(*) from services.services where paid_at is null and ended_at is null)::int
        as unpaid`)
    return row
  }

  return {
    ...{ shop, sql, admin, small, timePasses, lookAfterPanel, openWork },

    async customers(count: number): Promise<Buyer[]> {
      const made: Buyer[] = []
      await each([...Array(count).keys()], AT_ONCE, async () => {
        const login = await shop.customer()
        const me = await keyHolder(shop, await shop.signIn(login))
        const buyer = buyerOf(shop, me)
        const [{ id }] = await sql('select id from users.users where email = $1', [login.email])
        buyers.set(id, buyer)
        made.push(buyer)
      })
      return made
    },

    /** What becomes of a service while everything fails. What is refused just now is not done. */
    async fulfil(id: string, fate: string | undefined, userId: string): Promise<void> {
      const of = (what: string, body: object = {}) =>
        admin.post(`/v1/admin/services/${id}/${what}`, body)
      if (fate?.startsWith('upgrade')) await buyers.get(userId)?.upgrade(id, large.product.id)
      if (fate?.startsWith('suspend')) await of('suspend')
      if (fate === 'suspend and back') await of('unsuspend')
      if (fate?.endsWith('end')) await of('terminate', { keepData: false })
    },

    /** Operators go on with whatever waits for them, and time goes by, until nothing is open. */
    async isAtRest(): Promise<boolean> {
      await timePasses(300)
      await lookAfterPanel()
      const { body } = await admin.get('/v1/admin/services/troubled?limit=100')
      for (const { id } of body.data as Body[]) await admin.post(`/v1/admin/services/${id}/retry`)
      const work = await openWork()
      return Object.values(work).every((count) => count === 0)
    },

    async assertAgreement(): Promise<void> {
      await assertDrift(shop.nodeId, admin)
      await assertServers(await shop.panel.get<Body>('servers'), await sql(SERVERS_WANTED))
      assert.deepEqual(await sql(UNPAID_WITH_SERVER), [], 'no server without money')
      assert.deepEqual(await sql(PAID_WITHOUT_SERVICE), [], 'no money without a server')
      await assertCharges(shop, sql)
      const { body: failed } = await admin.get('/v1/admin/jobs')
      assert.deepEqual(failed.data, [], 'nothing was given up')
    },
  }
}

const ACTIVE_BUT = `
  select id, user_id from services.services
  where activated_at is not null and not id = any($1::uuid[]) order by id`

/** What the panel should have: a server of each service that is in use, with the limits it pays for. */
const SERVERS_WANTED = `
  select external_id, server_uuid, suspended_at is not null as suspended,
         (provisioning #>> '{limits,memoryMb}')::int as memory
  from services.services service
  join store.products product on product.id = service.product_id
  where activated_at is not null and ended_at is null`

const UNPAID_WITH_SERVER = `
  select service.id from services.services service
  join billing.invoices invoice on invoice.id = service.invoice_id
  where service.server_id is not null and invoice.status <> 'paid'`

const PAID_WITHOUT_SERVICE = `
  select invoice.id from billing.invoices invoice
  where kind = 'checkout' and status = 'paid' and not exists (
    select from services.services service
    where service.invoice_id = invoice.id and service.activated_at is not null)`

async function products(shop: Awaited<ReturnType<typeof realShop>>) {
  const admin = shop.admin()
  const { body: plans } = await admin.get(`/v1/admin/plans/${shop.planId}`)
  const { body: product } = await admin.get(`/v1/admin/products/${plans.productId}`)
  const catalog = shopOf(admin)
  const provisioning = (limits: object) => ({ ...product.provisioning, limits })
  const large = await catalog.offer({ priceCents: 2000 }, { provisioning: provisioning(LARGE) })
  const upgradeTargetIds = [large.product.id]
  const small = await catalog.offer({}, { provisioning: provisioning(SMALL), upgradeTargetIds })
  return { small, large }
}

async function assertDrift(nodeId: string, admin: ReturnType<typeof stubborn>): Promise<void> {
  const url = `/v1/admin/nodes/${nodeId}/drift`
  await admin.post(url)
  const { body } = await until(
    'the panel is compared',
    async () => {
      const answer = await admin.get(url)
      return answer.body.report?.finishedAt && answer
    },
    PATIENCE,
  )
  assert.deepEqual(body.data, [])
}

async function assertServers({ servers }: Body, wanted: Body[]): Promise<void> {
  const there = servers.map((it: Body) => ({
    ...{ external_id: it.externalId, server_uuid: it.uuid },
    ...{ suspended: it.status === 'suspended', memory: it.limits.memory },
  }))
  const sorted = (rows: Body[]) =>
    rows.toSorted((a, b) => a.external_id.localeCompare(b.external_id))
  assert.deepEqual(sorted(there), sorted(wanted), 'the panel has each server once, and no other')
}

/** Each charge at the provider is one payment here, and the other way round. */
async function assertCharges(
  shop: Awaited<ReturnType<typeof realShop>>,
  sql: (text: string) => Promise<Body[]>,
): Promise<void> {
  const charged: string[] = []
  for (let after = ''; ; ) {
    const page = await shop.atProvider(
      `payment_intents?limit=100${after && `&starting_after=${after}`}`,
    )
    const done = page.data.filter(({ status }: Body) => status === 'succeeded')
    charged.push(...done.map(({ id }: Body) => id))
    if (!page.has_more) break
    after = page.data.at(-1).id
  }
  const booked = await sql('select provider_payment_id as id from billing.payments')
  assert.deepEqual(booked.map(({ id }) => id).sort(), charged.sort())
}
