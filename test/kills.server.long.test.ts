import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '#test/chaos.ts'
import { spreadShop } from '#test/spread-shop.ts'

const SCALE = Number(process.env.SCALE ?? 1)
const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** 200, and at a small scale a handful. */
const KILLS = Math.ceil(200 * SCALE ** 1.2)
const BUYERS = 4
/** Of so many times once. */
const TOGETHER = 5
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
    bought: () => purchases,
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
    /** One half of the processes is replaced, or both in turn as at a deploy: they begin where the clock was put. */
    async deploy(halves: readonly (0 | 1)[]): Promise<void> {
      for (const index of halves) {
        const half = [shop.apis[index], shop.workers[index]]
        await Promise.all(
          half.map(async (it) => {
            await it.end()
            await it.start()
          }),
        )
      }
    },
  }
}

function installation() {
  assert.ok(all)
  return all
}

test(`any process is killed, ${KILLS} times: nothing is lost, doubled or left undone (hardening 43)`, {
  skip,
}, async (t) => {
  t.diagnostic(`CHAOS_SEED=${SEED}`)
  const chance = chanceOf(SEED)
  const { shop, members, buyDuring, bought } = installation()
  const startMs = performance.now()
  let [kills, pairs] = [0, 0]
  await buyDuring(async () => {
    while (kills < KILLS) {
      await sleep(chance.below(1500))
      const victims = new Set([chance.oneOf(members)])
      // Now and then two at once: whoever would have gone on with the work is gone as well.
      if (chance.below(TOGETHER) === 0) victims.add(chance.oneOf(members))
      await Promise.all([...victims].map((it) => it.kill()))
      kills += victims.size
      if (victims.size > 1) pairs += 1
      const [faults] = await Promise.all([shop.faults(), ...[...victims].map((it) => it.start())])
      assert.deepEqual(faults, [], `after ${kills} kills`)
    }
    // What the dead had taken on is free again once their leases have run out.
    await shop.hourPasses()
  })
  const seconds = Math.round((performance.now() - startMs) / 1000)
  t.diagnostic(
    `${kills} kills (${pairs} times two at once), ${bought()} purchases in ${seconds} s: ` +
      'none lost, none doubled, the books balance',
  )
})

test('a clock that jumps a day ahead, and another that is an hour behind, do nobody harm (hardening 49)', {
  skip,
}, async () => {
  const { shop, buyDuring, deploy } = installation()
  await buyDuring(async () => {
    await shop.admin(shop.apis[0].url).post('/v1/admin/clock', { advanceSeconds: DAY_SECONDS })
    await deploy([0, 1])
    // From here on one half is an hour behind the other.
    await shop.sql('update platform.clock set offset_ms = offset_ms - $1', [HOUR_SECONDS * 1000])
    await deploy([1])
    // What the clock that was ahead had put off has its time once that time has come again.
    await shop.hourPasses()
  })
})
