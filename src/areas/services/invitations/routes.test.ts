import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { sealId } from '#lib/sealed.ts'
import { DAY_MS } from '#lib/time.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'

type Body = Answer['body']

const AUTH_LIMIT = 60
const shop = await gameShop({
  config: { rateLimits: { general: 1_000_000, auth: AUTH_LIMIT, person: 1_000_000 } },
})
const { app } = shop
// Sessions end while the clock moves; keys do not.
const admin = await apiKey(app, shop.admin, { permission: 'read-write' })
const { plan } = await shop.server({ name: 'Castle' })
const owner = await lasting({ name: 'Grace Brewster Hopper' })
await shop.buy(owner, plan.id)
const { id: serviceId } = await shop.serviceBecame(owner, 'active')
const path = `/v1/services/${serviceId}/invitations`

async function lasting(wanted: Parameters<typeof person>[1] = {}): Promise<Person> {
  const someone = await person(app, wanted)
  return { ...someone, ...(await apiKey(app, someone, { permission: 'read-write' })) }
}

/** Invites somebody; fails if that is refused. */
async function invite(email: string, permissions: string[] = ['power']): Promise<Body> {
  const { status, body } = await owner.post(path, { email, permissions })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const accept = (who: Person, token: string) => who.post(`/v1/invitations/${token}/accept`)
const decline = (who: Person, token: string) => who.post(`/v1/invitations/${token}/decline`)
const preview = (token: string) => app.get(`/v1/invitations/${token}`)

async function listed(id: string): Promise<Body> {
  const { body } = await owner.get(path)
  return body.data.find((it: Body) => it.id === id)
}

/** The mails that were sent to an address, newest first. */
async function mailsTo(recipient: string): Promise<Body[]> {
  const { body } = await admin.get('/v1/admin/mails?limit=100')
  return body.data.filter((it: Body) => it.recipient === recipient)
}

test('an invited person sees the service in their list, with role and permissions', async () => {
  const friend = await lasting()
  const invitation = await invite(friend.email.toUpperCase(), ['console', 'power', 'power'])
  const { token, ...rest } = invitation
  assert.deepEqual(rest.permissions, ['view', 'power', 'console'])
  assert.deepEqual([rest.status, rest.email], ['pending', friend.email])
  assert.equal(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt), 7 * DAY_MS)
  assert.deepEqual(await listed(rest.id), rest, 'the token is not shown again')
  const accepted = await accept(friend, token)
  assert.equal(accepted.status, 200, accepted.text)
  assert.deepEqual(accepted.body, { ...rest, status: 'accepted' })
  const [service] = (await friend.get('/v1/services')).body.data
  assert.deepEqual(
    [service.id, service.role, service.permissions],
    [serviceId, 'member', ['view', 'power', 'console']],
  )
  assert.equal((await owner.get(`/v1/services/${serviceId}`)).body.role, 'owner')
})

test('the preview shows two names and what is granted, to anybody, and changes nothing (hardening 10)', async () => {
  const { token, ...rest } = await invite('preview@example.org', ['files'])
  const { status, body } = await preview(token)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    ...{ serviceName: 'Castle', inviterFirstName: 'Grace' },
    ...{ permissions: ['view', 'files'], status: 'pending', expiresAt: rest.expiresAt },
    forMe: null,
  })
  const invited = await lasting({ email: 'preview@example.org' })
  for (const [who, forMe] of [
    [invited, true],
    [owner, false],
  ] as const) {
    assert.equal((await who.get(`/v1/invitations/${token}`)).body.forMe, forMe)
  }
  assert.deepEqual(await listed(rest.id), rest)
  assert.equal((await preview(token)).status, 200)
})

test('people find the invitations that wait for them, and nobody else does', async () => {
  const friend = await lasting({ email: 'waited.for@example.org' })
  const unproven = await lasting({ verified: false })
  const [sent, other] = [await invite(friend.email, ['files']), await invite(unproven.email)]
  const { status, body, text } = await friend.get('/v1/invitations')
  assert.equal(status, 200, text)
  const { id, createdAt, expiresAt } = sent
  assert.deepEqual(
    body.data.map(({ token: _, ...rest }: Body) => rest),
    [
      {
        ...{ id, serviceName: 'Castle', inviterFirstName: 'Grace', createdAt, expiresAt },
        permissions: ['view', 'files'],
      },
    ],
  )
  assert.deepEqual((await unproven.get('/v1/invitations')).body.data, [], other.email)
  assert.deepEqual((await owner.get('/v1/invitations')).body.data, [])
  assert.equal((await app.get('/v1/invitations')).status, 401)
  assert.equal((await accept(friend, body.data[0].token)).status, 200)
  assert.deepEqual((await friend.get('/v1/invitations')).body.data, [], 'answered')
})

test('the owner changes what a member may do, and nobody else does', async () => {
  const [friend, stranger] = [await lasting(), await lasting()]
  const { token } = await invite(friend.email, ['power', 'files'])
  await accept(friend, token)
  const member = `/v1/services/${serviceId}/members/${friend.userId}`
  const changed = await owner.patch(member, { permissions: ['console'] })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(
    [changed.body.userId, changed.body.role, changed.body.permissions],
    [friend.userId, 'member', ['view', 'console']],
  )
  const { permissions } = (await friend.get(`/v1/services/${serviceId}`)).body
  assert.deepEqual(permissions, ['view', 'console'])
  const power = await friend.post(`/v1/services/${serviceId}/power`, { action: 'start' })
  assert.equal(power.status, 403)
  assert.deepEqual((await owner.patch(member, {})).body, changed.body, 'nothing is changed')
  assert.equal((await friend.patch(member, { permissions: ['power'] })).status, 403)
  assert.equal((await stranger.patch(member, { permissions: ['power'] })).status, 404)
  assert.equal((await owner.patch(member, { permissions: ['money'] })).status, 400)
  const members = `/v1/services/${serviceId}/members`
  for (const nobody of [stranger.userId, owner.userId, newId()]) {
    assert.equal((await owner.patch(`${members}/${nobody}`, { permissions: [] })).status, 404)
  }
  const panel = await until('the panel knows it', async () => {
    const [own] = await shop.db
      .selectFrom('services.panel_subusers')
      .select('subuserUuid')
      .where('userId', '=', friend.userId)
      .execute()
    return own?.subuserUuid && (await shop.panel.calls('POST', /\/users\/[^/]+$/)) > 0
  })
  assert.ok(panel)
})

test('only the invited address may answer, and only once it is confirmed (hardening 10)', async () => {
  const friend = await lasting({ verified: false })
  const other = await lasting()
  const { id, token } = await invite(friend.email)
  for (const answer of [accept, decline]) {
    assert.equal((await answer(other, token)).status, 403)
    const unverified = await answer(friend, token)
    assert.deepEqual([unverified.status, unverified.body.code], [403, 'email_not_verified'])
    assert.equal((await app.post(`/v1/invitations/${token}/accept`)).status, 401)
  }
  assert.equal((await listed(id)).status, 'pending')
  assert.deepEqual((await other.get('/v1/services')).body.data, [])
})

test('an invitation that was used, declined, taken back or has expired is a 410 (hardening 10)', async () => {
  const [used, declined, revoked, late] = [
    await lasting(),
    await lasting(),
    await lasting(),
    await lasting(),
  ]
  const tokens = new Map<Person, Body>()
  for (const friend of [used, declined, revoked, late]) {
    tokens.set(friend, await invite(friend.email))
  }
  const tokenOf = (friend: Person): string => tokens.get(friend).token
  assert.equal((await accept(used, tokenOf(used))).status, 200)
  const no = await decline(declined, tokenOf(declined))
  assert.deepEqual([no.status, no.body.status], [200, 'declined'])
  const gone = await owner.delete(`${path}/${tokens.get(revoked).id}`)
  assert.deepEqual(gone.body, { id: tokens.get(revoked).id, deleted: true })
  assert.equal((await owner.delete(`${path}/${tokens.get(revoked).id}`)).status, 200)
  await app.advance((7 * DAY_MS) / 1000)
  for (const friend of [used, declined, revoked, late]) {
    assert.equal((await accept(friend, tokenOf(friend))).status, 410)
    assert.equal((await decline(friend, tokenOf(friend))).status, 410)
    assert.equal((await preview(tokenOf(friend))).status, 410)
  }
  const states = await Promise.all(
    [used, declined, revoked, late].map((it) => listed(tokens.get(it).id)),
  )
  assert.deepEqual(
    states.map(({ status }) => status),
    ['accepted', 'declined', 'revoked', 'expired'],
  )
  for (const closed of [used, declined]) {
    const { id } = tokens.get(closed)
    assert.equal((await owner.delete(`${path}/${id}`)).status, 409)
    assert.equal((await owner.post(`${path}/${id}/resend`)).status, 409)
  }
  const renewed = await owner.post(`${path}/${tokens.get(late).id}/resend`)
  assert.deepEqual([renewed.status, renewed.body.status], [200, 'pending'])
  assert.equal((await accept(late, tokenOf(late))).status, 200)
})

test('the link goes out by mail, once for each time it is sent', async () => {
  const friend = await lasting()
  const { id, token } = await invite(friend.email)
  const [mail] = await until('the mail is written', async () => {
    const mails = await mailsTo(friend.email)
    return mails.some((it) => it.kind === 'service_invitation') && mails
  })
  assert.match(mail.body, new RegExp(`/i/${token}`))
  assert.match(mail.body, /Grace/)
  assert.doesNotMatch(mail.body, /Hopper/)
  const { body: notices } = await friend.get('/v1/notifications')
  assert.deepEqual(
    notices.data.map((it: Body) => [it.kind, it.link]),
    [['invitation', `/i/${token}`]],
  )
  for (let send = 2; send <= 10; send += 1) {
    assert.equal((await owner.post(`${path}/${id}/resend`)).status, 200)
  }
  const enough = await owner.post(`${path}/${id}/resend`)
  assert.deepEqual([enough.status, enough.body.code], [409, 'too_many_sends'])
  await until('every mail is written', async () => {
    const mails = await mailsTo(friend.email)
    return mails.filter((it) => it.kind === 'service_invitation').length === 10
  })
})

test('a second invitation of an address renews the first', async () => {
  const first = await invite('twice@example.org', ['power'])
  const second = await invite('Twice@Example.org', ['files'])
  assert.equal(second.id, first.id)
  assert.deepEqual((await listed(first.id)).permissions, ['view', 'files'])
})

test('members and strangers cannot invite, see, resend or take back', async () => {
  const [member, stranger] = [await lasting(), await lasting()]
  await accept(member, (await invite(member.email, ['settings'])).token)
  const { id } = await invite('somebody@example.org')
  const foreigner = await person(app, { tenantId: await otherTenant(app, 'else.test') })
  for (const caller of [member, stranger, foreigner]) {
    const email = 'x@example.org'
    const answers = [
      await caller.get(path),
      await caller.post(path, { email, permissions: [] }),
      await caller.post(path, { nonsense: true }),
      await caller.post(`${path}/${id}/resend`),
      await caller.delete(`${path}/${id}`),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404, 404, 404],
    )
  }
  assert.equal((await listed(id)).status, 'pending')
  assert.equal((await owner.delete(`${path}/${newId()}`)).status, 404)
  // Another service of the same owner does not open this one's invitations.
  const other = (await shop.order(owner, plan.id)).order.items[0].serviceIds[0]
  assert.equal((await owner.delete(`/v1/services/${other}/invitations/${id}`)).status, 404)
})

test('a body that makes no sense is refused with its field', async () => {
  for (const [body, field] of [
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.org', permissions: ['root'] }, 'permissions.0'],
    [{ email: 'a@example.org', permissions: [], role: 'owner' }, 'role'],
  ] as const) {
    const answer = await owner.post(path, body)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.details[0].path, field)
  }
  const own = await owner.post(path, { email: owner.email, permissions: [] })
  assert.deepEqual([own.status, own.body.code], [422, 'own_address'])
})

test('a link is never kept for a repeat of the request', async () => {
  const options = { headers: { 'idempotency-key': 'invite-1' } }
  const body = { email: 'repeat@example.org', permissions: [] }
  assert.equal((await owner.post(path, body, options)).status, 201)
  const again = await owner.post(path, body, options)
  assert.deepEqual([again.status, again.body.code], [409, 'already_answered'])
})

test('the name of a service and of a person holds no link', async () => {
  const friend = await person(app)
  const names = [
    await owner.patch(`/v1/services/${serviceId}`, { name: 'Claim at evil.example' }),
    await friend.patch('/v1/users/me', { name: 'https://evil.example' }),
    await friend.patch('/v1/users/me', { company: 'www.evil' }),
    await friend.post('/v1/cart/items', { planId: plan.id, name: 'evil.example/free' }),
    await app.post('/v1/auth/register', {
      ...{ email: 'link@example.org', password: 'correct horse battery', name: 'evil.example' },
    }),
  ]
  for (const { status, body } of names) {
    assert.deepEqual([status, body.code], [422, 'link_not_allowed'])
    assert.equal(body.details.length, 1)
  }
})

test('a shop by invitation opens an account for the invited address, as long as the invitation is pending', async (t) => {
  await keepSettings(app, 'registration', { mode: 'inviteOnly' })
  t.after(() => keepSettings(app, 'registration', { mode: 'open' }))
  const email = 'guest@example.org'
  const { id, token: invitationToken } = await invite(email)
  const register = (more: object) =>
    app.post('/v1/auth/register', {
      email,
      password: 'correct horse battery',
      name: 'Ada',
      ...more,
    })
  for (const more of [
    {},
    { invitationToken: sealId(newId(), Buffer.alloc(32)) },
    { invitationToken, email: 'other@example.org' },
  ]) {
    const { status, body } = await register(more)
    assert.deepEqual([status, body.code], [403, 'invitation_required'], JSON.stringify(more))
  }
  await owner.delete(`${path}/${id}`)
  assert.equal((await register({ invitationToken })).status, 403, 'a revoked invitation')
  const { token } = await invite(email)
  const { status, text } = await register({ invitationToken: token, email: 'Guest@Example.org' })
  assert.equal(status, 201, text)
})

// Last of those that use the quota of authentication: nothing is left of it.
test('a thousand guesses are limited, and a right one is not told from them (hardening 10)', async () => {
  const { token } = await invite('guessed@example.org')
  const guess = () => sealId(newId(), Buffer.alloc(32, 1))
  const found = { 404: 0, 429: 0 }
  for (let n = 0; n < 1000; n += 1) {
    const { status, headers } = await preview(guess())
    assert.ok(status === 404 || status === 429)
    found[status] += 1
    if (status === 429) assert.ok(Number(headers['retry-after']) >= 1)
  }
  // A new minute may have begun meanwhile.
  assert.ok(found[404] <= 2 * AUTH_LIMIT, `${found[404]} were looked up`)
  await until('a right link is refused like a wrong one', async () => {
    while ((await preview(guess())).status !== 429);
    return (await preview(token)).status === 429
  })
  assert.equal((await accept(owner, token)).status, 429)
})

test('invitations are limited per service, per person and per day', async (t) => {
  const small = await gameShop()
  t.after(() => small.app.stop())
  await keepSettings(small.app, 'limits', { invitationsPerService: 2, invitationsPerPerson: 3 })
  const { plan: sold } = await small.server({ name: 'Keep' })
  const grace = await person(small.app)
  await small.buy(grace, sold.id)
  const { id: first } = await small.serviceBecame(grace, 'active')
  const ask = (service: string, name: string) =>
    grace.post(`/v1/services/${service}/invitations`, {
      email: `${name}@example.org`,
      permissions: [],
    })
  const { body } = await ask(first, 'a')
  assert.equal(
    (await grace.post(`/v1/services/${first}/invitations/${body.id}/resend`)).status,
    200,
  )
  const refused = await ask(first, 'b')
  assert.deepEqual([refused.status, refused.body.code], [429, 'limit_reached'])
  assert.ok(Number(refused.headers['retry-after']) > 3600)
  await small.app.advance(DAY_MS / 1000 + 1)
  const again = await apiKey(small.app, grace, { permission: 'read-write' })
  const later = { email: 'c@example.org', permissions: [] }
  assert.equal((await again.post(`/v1/services/${first}/invitations`, later)).status, 201)
})

test('a name from before it was checked is mailed without a link', async () => {
  const friend = 'before@example.org'
  const name = 'Castle evil.example'
  const rename = 'update services.services set name = $2 where id = $1'
  await app.deps.database.execute(rename, [serviceId, name])
  await invite(friend)
  const [mail] = await until('the mail is written', async () => {
    const mails = await mailsTo(friend)
    return mails.length > 0 && mails
  })
  await app.deps.database.execute(rename, [serviceId, 'Castle'])
  assert.match(mail.body, /Castle evil example/)
  assert.doesNotMatch(mail.body, /evil\.example/)
})
