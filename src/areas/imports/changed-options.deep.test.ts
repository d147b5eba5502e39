import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { clientOf, type PanelClient } from '#panel'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { DECIDED, faults, imported } from '#test/imports.ts'
import { smallDump } from '#test/small-whmcs.ts'

type Body = Answer['body']

const shop = await gameShop()
const { admin, app, db, eggId, nodeId, tenantId } = shop
const NODE = `/v1/admin/nodes/${nodeId}`
const PASSWORD = 'engine'
const password = createHash('md5').update(PASSWORD).digest('hex')
const LIMITS = { memoryMb: 1024, diskMb: 1024, cpuPercent: 50 }

/** A server as the other system has made it, with the number of its service there. */
async function madeThere(client: PanelClient, externalId: string) {
  const { plan } = await shop.server()
  await shop.buy(await shop.customer(), plan.id)
  const [bought] = await until('a server to copy', async () => {
    const { data } = (await admin.get('/v1/admin/services?status=active')).body
    return data.length > 0 && data
  })
  const owner = { externalId: '7', username: 'ada', firstName: 'Ada', lastName: 'Byron' }
  const account = await client.createUser({ email: 'ada@example.com', ...owner })
  const pattern = await client.getServer(bought.panel.serverId)
  const made = await client.createServer({
    ...{ ...pattern, externalId, userId: account.id, name: 'Hers' },
    limits: { ...pattern.limits, ...LIMITS },
    placement: { locationIds: [], dedicatedIp: false, portRange: [] },
    ...{ skipScripts: true, startOnCompletion: false },
  })
  await until('it is installed', async () => {
    return (await client.getServer(made.id)).status === 'installed'
  })
  return made
}

/** Compares the panel, and links the servers of imported services. */
async function link(): Promise<void> {
  assert.equal((await admin.post(`${NODE}/drift`)).status, 202)
  await until('it is compared', async () => {
    return (await admin.get(`${NODE}/drift`)).body.report.finishedAt
  })
  const asked = await admin.post(`${NODE}/drift/repair`, { kind: 'imported' })
  assert.equal(asked.status, 202, asked.text)
  await until('it is linked', async () => {
    const { data } = (await admin.get(`${NODE}/drift?kind=imported`)).body
    return data.length > 0 && data.every((it: Body) => it.repairedAt)
  })
}

test('a customer changes imported options at the prices of the catalogue, and the server stays as it is', async () => {
  const client: PanelClient = await clientOf(app.deps, db, { tenantId, nodeId })
  const server = await madeThere(client, '101')
  const [{ env }] = (await admin.get(`/v1/admin/eggs/${eggId}`)).body.variables
  const due = later(app.deps.clock.now(), DAY_MS).slice(0, 10)
  const price = {
    ...{ type: 'configoptions', quarterly: '0.00', semiannually: '0.00', annually: '0.00' },
    ...{ biennially: '0.00', triennially: '0.00' },
  }
  const ended = await imported(
    app,
    smallDump({
      tblclients: [{ id: 7, email: 'ada@example.com', password, credit: '50.00' }],
      tblhosting: [{ id: 101, userid: 7, amount: '11.50', nextduedate: due }],
      tblproductconfiggroups: [{}],
      tblproductconfiglinks: [{}],
      tblproductconfigoptions: [
        { optionname: 'memory|RAM' },
        { id: 2, optionname: `${env}|Of the egg` },
        { id: 3, optionname: 'io|Priority' },
      ],
      tblproductconfigoptionssub: [
        ...[2, 3].map((it) => ({ id: 1 + it, configid: it })),
        { id: 1, optionname: '4096|4 GB' },
        { id: 2, optionname: '8192|8 GB' },
      ],
      tblpricing: [
        {},
        { ...price, id: 2, relid: 1, monthly: '2.00' },
        { ...price, id: 3, relid: 2, monthly: '4.00' },
      ],
      tblhostingconfigoptions: [{ relid: 101 }],
    }),
  )
  assert.equal(ended.status, 'completed', JSON.stringify(ended.report.differences))
  const listed = (code: string) => ended.report.warnings.find((it) => it.code === code)?.rows
  assert.deepEqual(listed('effect_not_imported'), ['1', '2'])
  assert.deepEqual(listed('option_without_effect'), ['3'])
  const { data: products } = (await admin.get('/v1/admin/products?limit=100')).body
  const product = products.find((it: Body) => it.name === 'Server')
  const provisioning = { eggId, nodeIds: [nodeId], limits: LIMITS }
  const built = await admin.patch(`/v1/admin/products/${product.id}`, { provisioning })
  assert.equal(built.status, 200, built.text)
  await link()
  const decided = { ...DECIDED, price: 'keep_amount' }
  const begun = await admin.post(`/v1/admin/imports/${ended.id}/begin-renewals`, decided)
  assert.equal(begun.status, 200, begun.text)
  // A service that was taken over can be changed once it has renewed.
  for (let half = 0; half < 4; half += 1) await app.advance(43_200)
  const login = await app.post('/v1/auth/login', { email: 'ada@example.com', password: PASSWORD })
  assert.equal(login.status, 200, login.text)
  const ada = app.as(login.body.accessToken)
  const [{ id }] = (await ada.get('/v1/services')).body.data
  const url = `/v1/services/${id}/options`
  const wish = { options: { memory: 'v8192' } }
  const preview = await ada.post(url, { ...wish, preview: true })
  assert.equal(preview.status, 200, preview.text)
  const { creditCents, chargeCents } = preview.body.proration
  // What she pays for it now is 200, and it costs 400 then.
  assert.ok(Math.abs(chargeCents - 2 * creditCents) <= 1 && creditCents > 0, preview.text)
  const ordered = await ada.post(url, { ...wish, useCredits: true })
  assert.equal(ordered.status, 200, ordered.text)
  await app.eventually(
    'the option is changed',
    async () => (await ada.get(`/v1/services/${id}`)).body.components[0].label === '8 GB',
    { seconds: 15 },
  )
  const { plan, components } = (await ada.get(`/v1/services/${id}`)).body
  assert.deepEqual([plan.priceCents, components[0].priceCents], [1350, 400])
  const { limits } = await client.getServer(server.id)
  assert.deepEqual({ ...limits, ...LIMITS }, limits)
  assert.deepEqual(await faults(app), [])
})
