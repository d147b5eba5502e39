import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

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
