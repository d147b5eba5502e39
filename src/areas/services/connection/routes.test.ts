import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { scriptedDaemon } from '#test/daemon.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const shop = await gameShop()
const { plan } = await shop.server()
const ada = await shop.customer()
await shop.buy(ada, plan.id)
const { id, panel } = await shop.serviceBecame(ada, 'active')
const path = `/v1/services/${id}/connection`

async function friend(permissions: string[]): Promise<Person> {
  const someone = await shop.customer()
  const body = { email: someone.email, permissions }
  const { token } = (await ada.post(`/v1/services/${id}/invitations`, body)).body
  assert.equal((await someone.post(`/v1/invitations/${token}/accept`)).status, 200)
  await until('the panel knows them', async () => {
    const rows = await shop.db
      .selectFrom('services.panel_subusers')
      .select('subuserUuid')
      .where('userId', '=', someone.userId)
      .execute()
    return rows[0]?.subuserUuid
  })
  return someone
}

test('the owner sees ports, location and SFTP address of the server', async () => {
  const { status, body, text } = await ada.get(path)
  assert.equal(status, 200, text)
  assert.equal(body.available, true)
  const [first] = body.ports.filter(({ primary }: { primary: boolean }) => primary)
  assert.equal(`${first.alias ?? first.ip}:${first.port}`, panel.address)
  assert.ok(body.location)
  const { host, port, username } = body.sftp
  assert.match(host, /\.example\.net$/)
  assert.equal(port, 2022)
  assert.match(username, new RegExp(`^[^.]+.*\\.${panel.identifier}$`))
})

test('who may use the files has an SFTP name of their own, who may not has none', async () => {
  const [reader, viewer] = [await friend(['files']), await friend(['view'])]
  const mine = (await ada.get(path)).body
  const theirs = (await reader.get(path)).body
  assert.equal(theirs.sftp.host, mine.sftp.host)
  assert.notEqual(theirs.sftp.username, mine.sftp.username)
  const seen = (await viewer.get(path)).body
  assert.deepEqual([seen.ports, seen.sftp], [mine.ports, null])
  assert.equal((await (await shop.customer()).get(path)).status, 404)
})

test('a service without a server, and one whose panel is away, have nothing to show', async () => {
  const placed = await shop.order(ada, plan.id)
  const [waiting] = placed.order.items[0].serviceIds
  const { status, body } = await ada.get(`/v1/services/${waiting}/connection`)
  const nothing = { available: false, ports: [], location: null, sftp: null }
  assert.deepEqual([status, body], [200, nothing])
})

const passwordPath = `/v1/services/${id}/panel-password`
const proof = { currentPassword: PASSWORD }
await givePassword(shop.app, ada.userId)

/** What the panel says to this password of the owner at its SFTP server. */
async function panelAccepts(login: { username: string; password: string }): Promise<boolean> {
  const [server] = await shop.servers()
  const node = await fetch(
    `${shop.panel.url}/api/application/nodes/${server.nodeId}/configuration`,
    {
      headers: { authorization: `Bearer ${shop.panel.applicationKey}` },
    },
  )
  const { token_id, token } = (await node.json()) as Record<string, string>
  const daemon = scriptedDaemon({ remote: shop.panel.url, token: `${token_id}.${token}` })
  const { status } = await daemon.signIn(`${login.username}.${panel.identifier}`, login.password)
  assert.ok(status === 200 || status === 403, String(status))
  return status === 200
}

/** Changes what is noted of the owner's account on the panel. */
function noteAccount(madeHere: boolean) {
  const change = 'update services.panel_accounts set made_here = $1 where user_id = $2'
  return shop.app.deps.database.execute(change, [madeHere, ada.userId])
}

test('the owner gets a new password for the panel, shown once, and the panel accepts it', async () => {
  const first = await ada.post(passwordPath, proof)
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.password.length, 24)
  assert.equal(first.body.email, ada.email)
  assert.equal(await panelAccepts(first.body), true)
  const second = (await ada.post(passwordPath, proof)).body
  assert.deepEqual([await panelAccepts(first.body), await panelAccepts(second)], [false, true])
  const { rows } = await shop.app.deps.database.execute(
    'select from audit.entries as it where it::text like $1',
    [`%${second.password}%`],
  )
  assert.equal(rows.length, 0, 'the password is in no log')
})

test('an answer with a panel password is not given twice', async () => {
  const headers = { 'idempotency-key': 'panel-password-1' }
  assert.equal((await ada.post(passwordPath, proof, { headers })).status, 200)
  const again = await ada.post(passwordPath, proof, { headers })
  assert.deepEqual([again.status, again.body.code], [409, 'already_answered'])
})

test('V61: panel passwords are refused for administrators, for accounts of others, and without proof', async () => {
  const reader = await friend(['view', 'settings', 'files'])
  assert.equal((await reader.post(passwordPath, {})).status, 404)
  const unproven = await ada.post(passwordPath, {})
  assert.deepEqual([unproven.status, unproven.body.code], [403, 'password_required'])

  await noteAccount(false)
  const linked = await ada.post(passwordPath, proof)
  assert.deepEqual([linked.status, linked.body.code], [409, 'panel_account_not_ours'])
  await noteAccount(true)

  const { username } = (await ada.post(passwordPath, proof)).body
  const users = `${shop.panel.url}/api/application/users`
  const headers = {
    authorization: `Bearer ${shop.panel.applicationKey}`,
    'content-type': 'application/json',
  }
  const found = await fetch(`${users}?filter[username]=${username}`, { headers })
  const [{ attributes: account }] = ((await found.json()) as { data: [{ attributes: Account }] })
    .data
  const promoted = await fetch(`${users}/${account.id}`, {
    ...{ method: 'PATCH', headers },
    body: JSON.stringify({ ...account, root_admin: true }),
  })
  assert.equal(promoted.status, 200)
  const refused = await ada.post(passwordPath, proof)
  assert.deepEqual([refused.status, refused.body.code], [409, 'panel_administrator'])
})

type Account = { id: number }

test('a connection with a sign-on address sends its customers there', async () => {
  const { panel: before } = (await ada.get(`/v1/services/${id}`)).body
  assert.deepEqual([before.signOn, before.signOnUrl], ['link', null])
  const node = `/v1/admin/nodes/${shop.nodeId}`
  const signOnUrl = 'https://panel.example.org/auth/oauth/redirect/shop'
  for (const wrong of [
    'panel.example.org',
    'http://panel.example.org/x',
    'https://a:b@panel.example.org',
    'javascript:alert(1)',
  ]) {
    const { status, body } = await shop.admin.patch(node, { signOnUrl: wrong })
    assert.deepEqual([status, body.code], [422, 'address_not_allowed'], wrong)
  }
  const changed = await shop.admin.patch(node, { signOnUrl })
  assert.deepEqual([changed.status, changed.body.signOnUrl], [200, signOnUrl])
  const { panel: after } = (await ada.get(`/v1/services/${id}`)).body
  assert.deepEqual([after.signOn, after.signOnUrl, after.url], ['oidc', signOnUrl, before.url])
})
