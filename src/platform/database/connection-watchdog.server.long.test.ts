import assert from 'node:assert/strict'
import net, { type AddressInfo, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { until } from '#test/app.ts'
import { testDatabase } from '#test/database.ts'
import { isDatabaseAway, NOBODY_LISTENS, transact } from './index.ts'
import { openServer } from './open.ts'

test('a network that swallows everything is not waited for, a long statement is', async (t) => {
  const { database, owner, swallow } = await opened(t)
  const long = await database.execute('select 1 as one, pg_sleep(7)')
  assert.equal(long.rows[0]?.one, 1)
  const waiting = Promise.allSettled([
    database.execute('select pg_sleep(3)'),
    transact(database.everywhere, (tx) => sql.raw('select pg_sleep(3)').execute(tx)),
  ])
  await until('both are under way', async () => {
    const active = await owner.query(
      `select from pg_stat_activity
       where datname = current_database() and state = 'active' and query = 'select pg_sleep(3)'`,
    )
    return active.rowCount === 2
  })
  swallow()
  for (const it of await waiting) assert.ok(it.status === 'rejected' && isDatabaseAway(it.reason))
})

/** A database behind something that can stop passing anything on, and says nothing of it. */
async function opened(t: TestContext) {
  const made = await testDatabase()
  const { hostname, port } = new URL(made.url ?? '')
  const sockets: Socket[] = []
  let swallowing = false
  const way = net.createServer((client) => {
    const server = net.connect({ host: hostname, port: Number(port) })
    sockets.push(client, server)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (bytes) => void (swallowing || to.write(bytes)))
      from.on('close', () => void (swallowing || to.destroy()))
      from.on('error', () => {})
    }
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  const url = new URL(made.url ?? '')
  url.port = String((way.address() as AddressInfo).port)
  const database = openServer(url.href, NOBODY_LISTENS)
  const owner = new pg.Client({ connectionString: made.url ?? '' })
  await owner.connect()
  t.after(async () => {
    await Promise.all([database.close(), owner.end()])
    for (const socket of sockets) socket.destroy()
    way.close()
    await made.drop()
  })
  return {
    ...{ database, owner },
    swallow: () => {
      swallowing = true
    },
  }
}
