import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeOf, queueServers, timeUntil } from '#test/bulk.ts'
import { gameShop } from '#test/game-shop.ts'

const LIMIT = 240
const SCALE = Number(process.env.SCALE ?? 1)
const [MANY, SINGLE] = [Math.ceil(900 * SCALE), Math.ceil(100 * SCALE)]
/** A look, a server and two looks at its installation; an account for each customer. */
const REQUESTS = 4 * (MANY + SINGLE) + 3 * (SINGLE + 1)

const shop = await gameShop({
  panel: {
    ...{ nodes: 1, locations: 1, rateLimits: { application: LIMIT }, installSeconds: 0.05 },
    ...{ portsPerNode: MANY + SINGLE + 10, memory: 100_000_000, disk: 100_000_000 },
  },
})
const sold = await shop.server()

test('1 000 provisions queued at once are done at the pace of the panel, without 429 storms', async (t) => {
  const many = await queueServers(shop, sold, MANY)
  const single: string[] = []
  for (let count = 0; count < SINGLE; count += 1) single.push(await queueServers(shop, sold, 1))
  let ofMany = 0
  const firstSeconds = await timeUntil(shop, async () => {
    const active = await activeOf(shop)
    ofMany = active.get(many) ?? 0
    return single.every((it) => active.get(it) === 1)
  })
  assert.ok(ofMany < MANY / 2, `${ofMany} of ${MANY} came before all others had theirs`)
  // Whoever waits for an answer of the panel does not wait for all that: no time goes by for it.
  const tested = await shop.admin.post(`/v1/admin/nodes/${shop.nodeId}/test`)
  assert.equal(tested.body.ok, true, tested.text)
  const restSeconds = await timeUntil(shop, async () => (await activeOf(shop)).get(many) === MANY)
  const refused = await shop.panel.answered(429)
  const seconds = Math.round(firstSeconds + restSeconds)
  t.diagnostic(
    `single customers after ${Math.round(firstSeconds)} s, ${ofMany} of the many by then`,
  )
  t.diagnostic(`all after ${seconds} s of the clock, ${refused} times 429`)
  assert.ok(refused <= 2, `${refused} times 429`)
  assert.ok(seconds < (REQUESTS / (LIMIT / 2)) * 60 + 120, `${seconds} s`)
  const servers = await shop.servers()
  assert.equal(servers.length, MANY + SINGLE)
  assert.equal(new Set(servers.map(({ externalId }) => externalId)).size, MANY + SINGLE)
})
