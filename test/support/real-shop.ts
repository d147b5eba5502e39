import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { SANDBOX_SELLER } from '#sandbox/seller.ts'
import { until } from './app.ts'
import { type Answer, type Client, clientFor } from './client.ts'
import { testDatabase } from './database.ts'
import { freePort, type Running, runToEnd, startProcess } from './processes.ts'
import { type Controls, controlsOf } from './sandbox.ts'
import { shopOf } from './shop.ts'
import { type Tally, tallyOf } from './tally.ts'

type Body = Answer['body']

/** Service, provider and panel, each in a process of its own, and a game server to buy. */
export type RealShop = {
  readonly provider: Controls
  readonly panel: Controls
  readonly gatewayId: string
  readonly planId: string
  readonly nodeId: string
  /** Its database server's, for what no route shows; null on the embedded one. */
  readonly databaseUrl: string | null
  /** Where the service listens, as long as it runs. */
  readonly url: string
  /** The payment provider's API as its owner uses it, past the service. */
  atProvider(path: string): Promise<Body>
  /** Runs another command of the service, and answers what it printed. Throws when it fails. */
  command(name: string): Promise<string>
  /** `kill -9` of the service. */
  kill(): Promise<void>
  /** Starts the service again, and signs the administrator in. */
  start(): Promise<void>
  /** The administrator, as long as the service runs. */
  admin(): Client
  /** Somebody new who has signed up. */
  customer(): Promise<{ email: string; password: string }>
  signIn(login: { email: string; password: string }): Promise<Client>
  /** Pays on the provider's page as a browser does. */
  pay(url: string): Promise<void>
  tally(): Promise<Tally>
}

const PASSWORD = 'a long enough password'
const ADMIN = { email: 'admin@example.com', password: PASSWORD }
const MANY = '100000'
export const SECRET_KEY = 'sk_test_of_the_real_shop'

type Options = {
  /** What else the panel is started with. */
  panel?: Record<string, string>
}

/** Starts the processes, and fills the shop. Everything ends with the tests of the file. */
export async function realShop({ panel: panelEnv = {} }: Options = {}): Promise<RealShop> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-real-'))
  const database = await testDatabase()
  const providerProcess = await startProvider()
  const panelProcess = await startPanel(panelEnv)
  const processes = [providerProcess, panelProcess]
  after(async () => {
    await Promise.all(processes.map((it) => it.kill()))
    await database.drop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })
  const providerUrl: string = JSON.parse(providerProcess.ready).url
  const panelUrl = panelProcess.ready
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{ PORT: port, PUBLIC_URL: url, MOORAGE_DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    ...(database.url && { DATABASE_URL: database.url }),
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    MOORAGE_ADMIN_EMAIL: ADMIN.email,
    MOORAGE_ADMIN_PASSWORD: ADMIN.password,
    MOORAGE_SANDBOX_PROVIDER_URL: providerUrl,
    MOORAGE_PRIVATE_HOSTS: new URL(panelUrl).host,
    MOORAGE_MOVABLE_CLOCK: 'on',
    ...{ RATE_LIMIT_GENERAL: MANY, RATE_LIMIT_AUTH: MANY, RATE_LIMIT_PERSON: MANY },
  }
  async function signIn(login: { email: string; password: string }): Promise<Client> {
    const { status, body, text } = await clientFor(url).post('/v1/auth/login', login)
    assert.equal(status, 200, text)
    return clientFor(url, { authorization: `Bearer ${body.accessToken}` })
  }

  async function serve(): Promise<{ service: Running; admin: Client }> {
    const ready = /listens on/
    const service = await startProcess({ script: 'src/main.js', args: ['serve'], env, ready })
    processes.push(service)
    return { service, admin: await signIn(ADMIN) }
  }

  let running = await serve()
  const sold = await fill(running.admin, panelUrl)
  let customers = 0
  return {
    ...{ ...sold, url, databaseUrl: database.url },
    async atProvider(path) {
      const headers = { authorization: `Bearer ${SECRET_KEY}` }
      return (await fetch(`${providerUrl}/v1/${path}`, { headers })).json()
    },
    command: (name) => runToEnd({ script: 'src/main.js', args: [name], env }),
    provider: controlsOf({ url: providerUrl, controlToken: TOKEN }),
    panel: controlsOf({ url: panelUrl, controlToken: TOKEN }),
    signIn,
    kill: () => running.service.kill(),
    async start() {
      running = await serve()
    },
    admin: () => running.admin,
    async customer() {
      customers += 1
      const login = { email: `player${customers}@example.com`, password: PASSWORD }
      const wanted = { ...login, name: 'Ada Lovelace', country: 'FR' }
      const { status, text } = await clientFor(url).post('/v1/auth/register', wanted)
      assert.equal(status, 201, text)
      return login
    },
    pay: payOnPage,
    tally: () =>
      tallyOf({
        admin: running.admin,
        provider: { url: providerUrl, secretKey: SECRET_KEY },
        panel: { url: panelUrl, controlToken: TOKEN },
      }),
  }
}

/** Pays on a page of the provider with a card that works. */
export async function payOnPage(page: string): Promise<void> {
  const form = new URLSearchParams({ card: '4242424242424242', action: 'pay' })
  const headers = { connection: 'close' }
  const { status } = await fetch(page, { method: 'POST', body: form, headers, redirect: 'manual' })
  assert.equal(status, 303)
}

/** What opens the controls of the stand-ins. */
export const TOKEN = 'controls'

/** Starts the stand-in for the payment provider; what it prints has its `url`. */
export function startProvider(): Promise<Running> {
  const env = { CONTROL_TOKEN: TOKEN, SECRET_KEY }
  return startProcess({ script: 'sandbox/provider/main.ts', env, ready: /"url"/ })
}

/** Starts the stand-in for the game panel; what it prints is its address. */
export function startPanel(more: Record<string, string>): Promise<Running> {
  const env = { CONTROL_TOKEN: TOKEN, APPLICATION_KEY, INSTALL_SECONDS: '0.05', ...more }
  return startProcess({ script: 'sandbox/panel/main.ts', env, ready: /^http/ })
}

const APPLICATION_KEY = 'ptla_of_the_real_shop'

/** Connects the stand-ins, and puts a game server up for sale. */
export async function fill(
  admin: Client,
  panelUrl: string,
): Promise<{ gatewayId: string; planId: string; nodeId: string }> {
  const entered = await admin.patch('/v1/admin/shop', { seller: SANDBOX_SELLER })
  assert.equal(entered.status, 200, entered.text)
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'sandbox', name: 'Cards', mode: 'test', enabled: true },
    secrets: { secretKey: SECRET_KEY },
  })
  assert.equal(gateway.status, 201, gateway.text)
  await until('the webhook is registered', async () => {
    const { body } = await admin.get(`/v1/admin/gateways/${gateway.body.id}`)
    return body.webhookRegistered
  })
  const node = await admin.post('/v1/admin/nodes', {
    ...{ name: 'Panel', url: panelUrl, type: 'pterodactyl', apiKey: APPLICATION_KEY },
  })
  assert.equal(node.status, 201, node.text)
  await admin.post(`/v1/admin/nodes/${node.body.id}/test`)
  await admin.post(`/v1/admin/nodes/${node.body.id}/sync-eggs`)
  const eggs = (await admin.get('/v1/admin/eggs?limit=100')).body.data
  const { id: eggId } = eggs.find((it: Body) => it.name === 'Paper')
  const limits = { memoryMb: 1024, diskMb: 2048, cpuPercent: 100 }
  const provisioning = { eggId, nodeIds: [node.body.id], limits }
  const { plan } = await shopOf(admin).offer({}, { provisioning })
  return { gatewayId: gateway.body.id, planId: plan.id, nodeId: node.body.id }
}
