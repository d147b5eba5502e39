import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeOf, queueServers, timeUntil } from '#test/bulk.ts'
import { gameShop } from '#test/game-shop.ts'

const LIMIT = 240
const shop = await gameShop({
  panel: { nodes: 1, locations: 1, rateLimits: { application: LIMIT }, installSeconds: 0.05 },
})
const sold = await shop.server()

test('no 429 storms: who has many servers made keeps nobody waiting, and the panel is never asked too often', async () => {
  const many = await queueServers(shop, sold, 14)
  const single: string[] = []
  for (let count = 0; count < 4; count += 1) single.push(await queueServers(shop, sold, 1))
  const hasAll = async () => {
    const active = await activeOf(shop)
    return single.every((it) => active.get(it) === 1)
  }
  await timeUntil(shop, hasAll)
  await timeUntil(shop, async () => (await activeOf(shop)).get(many) === 14)
  const first = await countBefore(many)
  assert.ok(first < 7, `${first} of 14 came before all others had theirs`)
  const servers = await shop.servers()
  assert.equal(new Set(servers.map(({ externalId }) => externalId)).size, 18)
  assert.equal(servers.length, 18)
  assert.equal(await shop.panel.answered(429), 0)
})

/** How many of a customer's servers were active before the last of all others'. */
async function countBefore(userId: string): Promise<number> {
  const { rows } = await shop.app.deps.database.execute(
    `select count(*)::int as count from services.services
     where user_id = $1
       and activated_at < (select max(activated_at) from services.services where user_id <> $1)`,
    [userId],
  )
  return Number(rows[0]?.count)
}
