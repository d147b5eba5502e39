import assert from 'node:assert/strict'
import { test } from 'node:test'
import { millis } from '#lib/time.ts'
import { clientOf } from '#panel'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'

type Body = Answer['body']

for (const flavour of ['pterodactyl', 'pelican'] as const) await changesOn(flavour)

async function changesOn(flavour: 'pterodactyl' | 'pelican'): Promise<void> {
  const shop = await gameShop({ panel: { flavour, nodes: 1, locations: 1 } })
  const { app, admin, panel, eggId, nodeId, catalog, gatewayId } = shop
  const provisioning = (featureLimits: object) => ({
    ...{ eggId, nodeIds: [nodeId], featureLimits },
    limits: { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 },
  })
  const lean = await catalog.offer(
    { priceCents: 500 },
    { provisioning: provisioning({ databases: 1, backups: 1 }) },
  )
  const dear = await catalog.offer(
    { priceCents: 5000 },
    { provisioning: provisioning({ databases: 1, backups: 2 }) },
  )
  const upgradeTargetIds = [lean.product.id, dear.product.id]
  const roomy = await catalog.offer(
    {},
    { provisioning: provisioning({ databases: 2, backups: 2 }), upgradeTargetIds },
  )

  /** Somebody's server of the roomy product, and what they keep on it as they do on the panel. */
  async function bought() {
    const person = await shop.customer()
    await shop.buy(person, roomy.plan.id)
    const { id } = await shop.serviceBecame(person, 'active')
    const { externalId } = (await admin.get(`/v1/admin/services/${id}`)).body
    const server = (await shop.servers()).find((it) => it.externalId === externalId)
    async function onPanel(method: string, path: string, body?: object): Promise<Body> {
      const response = await fetch(`${panel.url}/api/client/servers/${server?.uuid}/${path}`, {
        ...{ method, ...(body && { body: JSON.stringify(body) }) },
        headers: {
          ...{ authorization: `Bearer ${panel.clientKey}`, accept: 'application/json' },
          'content-type': 'application/json',
        },
      })
      assert.ok(response.ok, `${method} ${path}: ${response.status}`)
      return response.status === 204 ? null : response.json()
    }
    return {
      ...{ person, id, externalId },
      newDatabase: (database: string) =>
        onPanel('POST', 'databases', { database, remote: '%' }).then((it) => it.attributes.id),
      newBackup: () => onPanel('POST', 'backups', {}).then((it) => it.attributes.uuid),
      drop: (path: string) => onPanel('DELETE', path),
      change: ({ product }: Body) =>
        person.post(`/v1/services/${id}/upgrade`, { productId: product.id, gatewayId }),
    }
  }

  test(`${flavour}: databases and backups that would be too many refuse a change before it is ordered`, async () => {
    const mine = await bought()
    await mine.newDatabase('world')
    const shopDatabase = await mine.newDatabase('shop')
    await mine.newBackup()
    const databases = await mine.change(lean)
    assert.deepEqual([databases.status, databases.body.code], [422, 'databases_in_use'])
    await mine.drop(`databases/${shopDatabase}`)
    const spare = await mine.newBackup()
    const backups = await mine.change(lean)
    assert.deepEqual([backups.status, backups.body.code], [422, 'backups_in_use'])
    await mine.drop(`backups/${spare}`)
    const planned = await mine.change(lean)
    assert.equal(planned.status, 200, planned.text)
    assert.equal(planned.body.service.scheduledChange.productId, lean.product.id)
  })

  test(`${flavour}: a change that was planned is made, whatever was stored since, and nothing of it is lost`, async () => {
    const mine = await bought()
    assert.equal((await mine.change(lean)).status, 200)
    await mine.newDatabase('world')
    await mine.newDatabase('shop')
    const { currentPeriodEnd } = (await mine.person.get(`/v1/services/${mine.id}`)).body
    const renewal = await mine.person.post(`/v1/services/${mine.id}/renew`, { gatewayId })
    await shop.complete(renewal.body.payment.redirectUrl)
    const seconds = (millis(currentPeriodEnd) - millis(app.deps.clock.now())) / 1000 + 60
    await app.advance(Math.ceil(seconds))
    await app.eventually('it is on the smaller product', async () => {
      const { body } = await mine.person.get(`/v1/services/${mine.id}`)
      return body.product.id === lean.product.id
    })
    const client = await clientOf(app.deps, shop.db, { tenantId: shop.tenantId, nodeId })
    const server = await client.findServerByExternalId(mine.externalId)
    assert.deepEqual([server?.featureLimits.databases, server?.featureLimits.backups], [1, 1])
    assert.equal(await client.countDatabases(server?.id ?? 0), 2)
  })

  test(`${flavour}: what was made between the order and the money keeps the server, and the money comes back`, async () => {
    const mine = await bought()
    const ordered = await mine.change(dear)
    assert.equal(ordered.status, 200, ordered.text)
    await mine.newDatabase('world')
    await mine.newDatabase('shop')
    await shop.complete(ordered.body.payment.redirectUrl)
    const { totalCents } = ordered.body.invoice
    await app.eventually('the money is credit', async () => {
      return (await shop.creditOf(mine.person)) === totalCents
    })
    const { body: service } = await mine.person.get(`/v1/services/${mine.id}`)
    assert.deepEqual([service.product.id, service.status], [roomy.product.id, 'active'])
    await shop.assertSound()
  })
}
