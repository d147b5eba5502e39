import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { instant } from '#lib/time.ts'
import { impatient, sandboxPanel } from '#test/sandbox-panel.ts'
import type { PanelClient, ServerDraft } from '../clients/contract.ts'
import { PanelError } from '../clients/panel-error.ts'
import { panelClientFor } from '../clients/registry.ts'
import { type Customer, ensurePanelUser } from './panel-user.ts'
import { afterCreate, afterLook, beforeCreate, newProvisioning } from './rules.ts'

/** What went wrong in other billing systems, on both kinds of panel. */
for (const flavour of ['pterodactyl', 'pelican'] as const) await practice(flavour)

async function practice(flavour: 'pterodactyl' | 'pelican'): Promise<void> {
  const panel = await sandboxPanel({ after }, { flavour, rateLimits: { application: 60_000 } })
  const clientWith = (outbound: typeof panel.outbound): PanelClient =>
    panelClientFor({ type: flavour, url: panel.url, apiKey: panel.applicationKey, outbound })
  const client = clientWith(panel.outbound)
  const users = 'POST /api/application/users'
  const servers = 'POST /api/application/servers'
  let count = 0

  function customer(changes: Partial<Customer> = {}): Customer {
    count += 1
    const email = `player${count}@example.com`
    const names = { firstName: 'Ann', lastName: 'Example' }
    return { externalId: `cust-${count}`, email, emailVerified: true, ...names, ...changes }
  }

  async function userOf(wanted: Customer) {
    const result = await ensurePanelUser(client, wanted, Math.random)
    assert.equal(result.outcome, 'ready')
    return 'user' in result ? result.user : assert.fail()
  }

  const eggs = await client.listEggs()

  async function draft(): Promise<ServerDraft> {
    const egg = eggs.find(({ name }) => name === 'Paper')
    const { id: userId } = await userOf(customer())
    return {
      ...{ externalId: `svc-${count}`, name: 'World', description: '', userId },
      ...{ eggId: egg?.remoteId ?? 0, image: 'java', startup: 'run' },
      environment: Object.fromEntries((egg?.variables ?? []).map((it) => [it.env, it.default])),
      limits: { memoryMb: 64, swapMb: 0, diskMb: 64, cpuPercent: 10, io: 500, threads: null },
      featureLimits: { databases: 0, backups: 0, allocations: 1 },
      placement: { locationIds: [], dedicatedIp: false, portRange: [] },
      ...{ oomKiller: false, skipScripts: false, startOnCompletion: false },
    }
  }

  const named = (title: string, run: () => Promise<void>) => test(`${flavour}: ${title}`, run)

  named('new customer’s server appears in another customer’s account: not here', async () => {
    const joann = await userOf(customer({ email: 'joann@example.org' }))
    const ann = await userOf(customer({ email: 'ann@example.org' }))
    assert.notEqual(ann.id, joann.id)
  })

  named('“The email has already been taken” though the lookup found nothing: adopted', async () => {
    const wanted = customer()
    const subuser = { ...wanted, externalId: '', username: `sub${count}` }
    const { id } = await client.createUser(subuser)
    const blind = { ...client, findUserByEmail: once(client.findUserByEmail) }
    const result = await ensurePanelUser(blind, wanted, Math.random)
    assert.equal(result.outcome === 'ready' && result.user.id, id)
  })

  named('order assigned to a “random” user: an id of another system is left alone', async () => {
    const wanted = customer()
    await client.createUser({ ...wanted, externalId: '12', username: `foreign${count}` })
    const { outcome } = await ensurePanelUser(client, wanted, Math.random)
    assert.equal(outcome, 'needs_staff')
  })

  named(
    'user creation fails for names without last name, or for odd usernames: not here',
    async () => {
      for (const firstName of ['Ann', '李', '_', 'Ünal ']) {
        assert.ok(await userOf(customer({ firstName, lastName: '' })))
      }
    },
  )

  named('user create answers 500 but the user is there: found, not made twice', async () => {
    await panel.fault(users, 'commit-then-500')
    const wanted = customer()
    const { id } = await userOf(wanted)
    assert.equal((await client.findUserByEmail(wanted.email))?.id, id)
  })

  named(
    '“Operation timed out” and yet the server was created: the outcome is unknown',
    async () => {
      const wanted = await draft()
      await panel.fault(servers, 'commit-then-hang')
      const hasty = clientWith(impatient(panel.outbound, 200))
      await assert.rejects(hasty.createServer(wanted), { kind: 'unknown_outcome' })
      assert.ok(await client.findServerByExternalId(wanted.externalId))
    },
  )

  for (const kind of ['html-502', '504-before', 'empty-body', 'truncated-json']) {
    named(`lookup error read as “does not exist”: ${kind} is no absence`, async () => {
      await panel.fault('GET /api/application/servers/external/{id}', kind)
      await assert.rejects(client.findServerByExternalId('svc-none'), { kind: 'unavailable' })
    })
  }

  named('two servers for one order: the second is there already', async () => {
    const wanted = await draft()
    const made = await Promise.allSettled([1, 2, 3].map(() => client.createServer(wanted)))
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(client.createServer(wanted), { kind: 'already_exists' })
  })

  named(
    'second server with the same external id gives 500: it is looked for, and found',
    async () => {
      const wanted = await draft()
      const { id } = await client.createServer(wanted)
      await panel.fault(servers, 'commit-then-500')
      const second = await client.createServer(wanted).catch((error: unknown) => error)
      assert.ok(second instanceof PanelError)
      const now = instant('2030-01-01T00:00:00Z')
      const state = beforeCreate(newProvisioning(now), now)
      assert.equal(afterCreate(state, second, now, Math.random).step.step, 'look')
      const outcome = await client.findServerByExternalId(wanted.externalId)
      const next = afterLook(
        state,
        { outcome, expected: { eggId: wanted.eggId } },
        now,
        Math.random,
      )
      assert.equal(next.step.step === 'adopt' && next.step.server.id, id)
    },
  )

  named('“The allocation has already been taken” on build update: its own stays', async () => {
    const { id, allocationId } = await client.createServer(await draft())
    await client.createServer(await draft())
    const limits = { memoryMb: 128, swapMb: 0, diskMb: 128, cpuPercent: 20, io: 500, threads: null }
    const built = await client.updateBuild(id, { limits })
    assert.deepEqual([built.allocationId, built.limits.memoryMb], [allocationId, 128])
  })

  for (const kind of ['html-502', 'empty-body', 'truncated-json', 'wrong-json']) {
    named(`error handler crashes on the error: ${kind} is told in few words`, async () => {
      await panel.fault(servers, kind)
      const error = await client.createServer(await draft()).catch((it: unknown) => it)
      assert.ok(error instanceof PanelError)
      assert.equal(error.kind, 'unknown_outcome')
      assert.ok(error.failure.code && error.failure.detail.length <= 500)
    })
  }

  named('external_id disappears: a changed name keeps it', async () => {
    const { id, externalId } = await client.createServer(await draft())
    await client.updateDetails(id, { externalId: externalId ?? '', name: 'Other' })
    assert.equal((await client.findServerByExternalId(externalId ?? ''))?.id, id)
  })

  named('variables reset after an upgrade: those left out keep their values', async () => {
    const { id, environment } = await client.createServer(await draft())
    const change = { environment: { MINECRAFT_VERSION: '1.21.4' } }
    const changed = await client.updateStartup(id, change)
    assert.deepEqual(changed.environment, { ...environment, ...change.environment })
  })

  named('server without allocation: none is made', async () => {
    assert.notEqual((await client.createServer(await draft())).allocationId, null)
  })
}

/** Finds nothing the first time, as a lookup does that stops at the first page. */
function once(find: PanelClient['findUserByEmail']): PanelClient['findUserByEmail'] {
  let isFirst = true
  return async (email) => {
    if (!isFirst) return find(email)
    isFirst = false
    return undefined
  }
}
