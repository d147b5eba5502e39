import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { findUser } from '../queries.ts'
import { requestLink } from './links.ts'

const app = await testApp(null)
const { deps, tenantId } = app
const db = deps.database.of(tenantId)

test('links that are asked for at the same instant are counted, each', async () => {
  const { userId } = await person(app)
  const user = (await findUser(db, { tenantId, userId })) ?? assert.fail()
  const link = { user, purpose: 'reset', email: user.email } as const
  const now = deps.clock.now()
  await Promise.all(
    Array.from({ length: 8 }, () => transact(db, (tx) => requestLink(tx, deps.secrets, link, now))),
  )
  const { rows } = await deps.database.execute(
    `select count(*)::int as links from users.email_tokens where user_id = $1 and purpose = 'reset'`,
    [userId],
  )
  assert.deepEqual(rows, [{ links: 5 }])
})
