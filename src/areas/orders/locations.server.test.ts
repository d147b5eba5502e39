import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { addLocation, offerIn } from '#test/locations.ts'

const BUYERS = 200
const PLACES = { fra: 7, sgp: 5 }
const SIZE = 2048

test('of 200 buyers at once for the last places of two locations each place is sold once, where it was wanted', async () => {
  // One machine in each location, of which one is smaller by what is ordered before.
  const shop = await gameShop({
    panel: { nodes: 2, locations: 2, memory: PLACES.fra * SIZE, disk: 1_000_000 },
    config: { rateLimits: { general: 100_000, auth: 100_000, person: 100_000 } },
  })
  const { admin, catalog, eggId, nodeId, gatewayId } = shop
  const fra = await addLocation(admin, 'Frankfurt', [{ nodeId, remoteId: '1' }], { slug: 'fra' })
  const sgp = await addLocation(admin, 'Singapore', [{ nodeId, remoteId: '2' }], { slug: 'sgp' })
  const where = { catalog, eggId, nodeIds: [nodeId] }
  const before = await offerIn(where, [sgp], { memoryMb: (PLACES.fra - PLACES.sgp) * SIZE })
  await shop.order(await shop.customer(), before.plan.id)
  const { plan } = await offerIn(where, [fra, sgp])
  const buyers: { customer: Awaited<ReturnType<typeof shop.customer>>; slug: 'fra' | 'sgp' }[] = []
  for (let index = 0; index < BUYERS; index += 1) {
    const customer = await shop.customer()
    const [slug, { id: locationId }] =
      index % 2 === 0 ? ['fra' as const, fra] : ['sgp' as const, sgp]
    const { status, text } = await customer.post('/v1/cart/items', { planId: plan.id, locationId })
    assert.equal(status, 201, text)
    buyers.push({ customer, slug })
  }
  /** An order; a busy service says so with 503, and is asked again. */
  async function ordered(customer: (typeof buyers)[number]['customer']): Promise<Answer> {
    const answer = await checkOut(customer, { gatewayId })
    return answer.status === 503 ? ordered(customer) : answer
  }
  const answers = await Promise.all(
    buyers.map(async ({ customer, slug }) => ({
      ...{ customer, slug },
      answer: await ordered(customer),
    })),
  )
  for (const [slug, places] of Object.entries(PLACES)) {
    const own = answers.filter((it) => it.slug === slug)
    const sold = own.filter(({ answer }) => answer.status === 201)
    const refused = own.filter(({ answer }) => answer.status !== 201)
    assert.deepEqual([slug, sold.length], [slug, places])
    const codes = new Set(refused.map(({ answer }) => `${answer.status} ${answer.body.code}`))
    assert.deepEqual([...codes], ['422 no_capacity'])
    for (const { answer } of sold) {
      assert.equal(answer.body.order.items[0].location.slug, slug)
      await shop.complete(answer.body.payment.redirectUrl)
    }
    const [first] = refused
    assert.deepEqual((await first?.customer.get('/v1/billing/invoices'))?.body.data, [])
  }
  const total = PLACES.fra + PLACES.sgp
  const servers = await until('every server is made', async () => {
    const made = await shop.servers()
    return made.length === total && made
  })
  const on = (machine: number) => servers.filter(({ nodeId: it }) => it === machine).length
  assert.deepEqual([on(1), on(2)], [PLACES.fra, PLACES.sgp])
  await shop.assertSound()
})
