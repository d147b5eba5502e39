import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'
import { notifyNextBatch } from './actions.ts'

const shop = await gameShop()
const { app, admin } = shop
const url = '/v1/admin/announcements'
const texts = {
  en: { title: 'Maintenance', body: 'Tonight.' },
  fr: { title: 'Entretien', body: 'Ce soir.' },
}

const finished = (id: string) =>
  until('it has reached everybody', async () => {
    const { body } = await admin.get(`${url}/${id}`)
    return body.finishedAt && body
  })

const told = async (who: { get: typeof admin.get }) => {
  const { data } = (await who.get('/v1/notifications')).body
  return data.filter((it: { kind: string }) => it.kind === 'announcement')
}

test('everybody of the shop is told once, in their language, by mail where it is wanted', async () => {
  const [ada, grace] = [await person(app), await person(app)]
  await grace.patch('/v1/users/me', { locale: 'fr' })
  await grace.patch('/v1/notifications/preferences', {
    data: [{ kind: 'announcement', email: false }],
  })
  const tenantId = await otherTenant(app, 'elsewhere.test')
  const stranger = await person(app, { tenantId })
  const { status, body, text } = await admin.post(url, { texts, mailed: true, link: '/status' })
  assert.equal(status, 201, text)
  const { told: count } = await finished(body.id)
  assert.equal(count, 3, 'the administrator too')
  const [own] = await told(ada)
  assert.deepEqual([own.title, own.body, own.link], ['Maintenance', 'Tonight.', '/status'])
  assert.equal((await told(grace))[0].title, 'Entretien')
  assert.equal((await told(stranger)).length, 0)
  const { data: mails } = (await admin.get('/v1/admin/mails?kind=announcement')).body
  const recipients = mails.map((it: { recipient: string }) => it.recipient)
  assert.ok(recipients.includes(ada.email) && !recipients.includes(grace.email))
  assert.equal((await ada.post(url, { texts })).status, 403)
})

test('customers of a product are told, and others are not', async () => {
  const { product, plan } = await shop.server()
  const [ada, bob] = [await person(app, { country: 'FR' }), await person(app)]
  const placed = await shop.order(ada, plan.id)
  await shop.complete(placed.payment.redirectUrl)
  await shop.serviceBecame(ada, 'active')
  const { body } = await admin.post(url, { texts: { fr: texts.fr }, productIds: [product.id] })
  assert.equal((await finished(body.id)).told, 1)
  assert.equal((await told(ada))[0].title, 'Entretien', 'in the language there is')
  assert.equal((await told(bob)).length, 0)
})

test('a run that dies between two parts is finished by the next, and nobody is told twice', async () => {
  const { deps, tenantId } = app
  const people = Array.from({ length: 450 }, (_, index) => index)
  await deps.database.execute(
    `insert into users.users (tenant_id, id, email, name, created_at)
     select $1, gen_random_uuid(), 'crowd' || n || '@example.org', 'Crowd', now()
     from unnest($2::integer[]) as n`,
    [tenantId, people],
  )
  const announcement = await transact(deps.database.of(tenantId), (tx) =>
    tx
      .insertInto('notifications.announcements')
      .values({
        ...{ tenantId, id: admin.userId, createdBy: admin.userId, productIds: [], mailed: false },
        ...{ texts: JSON.stringify(texts) as never, createdAt: deps.clock.now() },
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  const part = (fails = false) =>
    transact(deps.database.of(tenantId), async (tx) => {
      const left = await notifyNextBatch(
        tx,
        { areas: deps.areas, key: announcement },
        deps.clock.now(),
      )
      if (fails) throw new Error('It dies here')
      return left
    })
  assert.equal(await part(), true)
  await assert.rejects(part(true), /dies here/)
  while (await part());
  assert.equal(await part(), false)
  const { rows } = await deps.database.execute(
    `select count(*) as notices, count(distinct user_id) as people
     from notifications.notifications notice
     join users.users person using (tenant_id)
     where person.id = notice.user_id and person.email like 'crowd%' and kind = 'announcement'`,
  )
  assert.deepEqual(rows, [{ notices: 450, people: 450 }])
})
