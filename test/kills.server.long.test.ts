import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '#test/chaos.ts'
import { spreadShop } from '#test/spread-shop.ts'

const SCALE = Number(process.env.SCALE ?? 1)
const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
const KILLS = Math.ceil(200 * SCALE)
const BUYERS = 4
const [HOUR_SECONDS, DAY_SECONDS] = [3600, 86_400]

const skip = !process.env.DATABASE_URL && 'It wants a PostgreSQL server'
const all = skip ? null : await started()

async function started() {
  const shop = await spreadShop()
  const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, index) => shop.buyer(index)))
  const members = [...shop.apis, ...shop.workers]
  let purchases = 0
  return {
    ...{ shop, members },
    /** People buy as long as the work goes on. After it all have what they bought, and nothing is wrong. */
    async buyDuring(work: () => Promise<void>): Promise<void> {
      let over = false
      const buying = buyers.map(async (it) => {
        do {
          await it.buyAndWait()
          purchases += 1
        } while (!over)
      })
      const working = work().finally(() => {
        over = true
      })
      await Promise.all([working, ...buying])
      await shop.assertWhole(purchases)
    },
    /** Each process is replaced in order, as at a deploy: it begins where the clock was put. */
    async deploy(): Promise<void> {
      for (const it of members) {
        assert.equal(await it.end(), 0, 'it ends in order')
        await it.start()
      }
    },
  }
}

function installation() {
  assert.ok(all)
  return all
}

test(`any process is killed, ${KILLS} times: nothing is lost, doubled or left undone`, {
  skip,
}, async (t) => {
  t.diagnostic(`CHAOS_SEED=${SEED}`)
  const chance = chanceOf(SEED)
  const { shop, members, buyDuring, deploy } = installation()
  await buyDuring(async () => {
    for (let kills = 0; kills < KILLS; kills += 1) {
      await sleep(chance.below(1500))
      const victim = chance.oneOf(members)
      await victim.kill()
      const [looked] = await Promise.all([shop.command('doctor'), victim.start()])
      assert.match(looked, /Everything is in order/)
    }
    // What the dead had taken on is free again once their leases have run out.
    await shop.admin(shop.apis[0].url).post('/v1/admin/clock', { advanceSeconds: HOUR_SECONDS })
    await deploy()
  })
})

test('a clock that jumps a day ahead, and another that is an hour behind, do nobody harm', {
  skip,
}, async () => {
  const { shop, buyDuring, deploy } = installation()
  await buyDuring(async () => {
    await shop.admin(shop.apis[0].url).post('/v1/admin/clock', { advanceSeconds: DAY_SECONDS })
    await deploy()
    // The others go on with the time there was; one process after the other comes with another.
    await shop.sql('update platform.clock set offset_ms = offset_ms - $1', [HOUR_SECONDS * 1000])
    await deploy()
  })
})
