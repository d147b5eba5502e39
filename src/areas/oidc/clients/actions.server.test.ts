import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyClientSecret } from '#oidc'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'
import { createClient, rotateSecret } from './actions.ts'

test('a second rotation waits for the first, and overlaps with its secret', async (t) => {
  const app = await testApp(t)
  const admin = await person(app, { admin: true })
  const { tenantId, deps } = app
  const { database, clock } = deps
  const db = database.of(tenantId)
  const wanted = {
    ...{ name: 'Forum', secretOverlapSeconds: 3600 },
    redirectUris: ['https://forum.example.org/callback'],
  }
  const now = clock.now()
  const { id } = await transact(db, (tx) => createClient(tx, { tenantId }, wanted, now))

  const { first, second } = await transact(db, async (tx) => {
    const rotated = await rotateSecret(tx, { tenantId, id }, now)
    const request = admin.post(`/v1/admin/oauth-clients/${id}/rotate-secret`)
    await until('the second rotation waits', async () => {
      const { rows } = await database.execute(
        `select from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`,
      )
      return rows.length > 0
    })
    return { first: rotated.clientSecret, second: { request } }
  })

  const { body } = await second.request
  for (const secret of [first, body.clientSecret]) {
    const presented = { tenantId, clientId: id, secret: secret ?? '', now: clock.now() }
    assert.equal(await verifyClientSecret(db, presented), true)
  }
})
