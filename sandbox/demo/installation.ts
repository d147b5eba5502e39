import { createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { areas } from '#app/areas.ts'
import { readConfig } from '#app/config.ts'
import type { Config } from '#platform/config.ts'
import { type Service, startService } from '#platform/start.ts'
import { type RunningPanel, startPanel } from '#sandbox/panel/server.ts'
import { type Provider, startProvider } from '#sandbox/provider/server.ts'
import type { Report } from './report.ts'

/** Everything the demo runs, in this one process. */
export type Installation = {
  readonly config: Config
  readonly service: Service
  readonly url: string
  readonly provider: Provider
  readonly panel: RunningPanel
  /** A secret of this installation: the same for the same name, at every start. */
  secret(name: string): string
  stop(): Promise<void>
}

/** Where the second of its shops is reached. */
export const SECOND_HOST = 'second.localhost'
export const ADMIN_EMAIL = 'admin@example.com'
const SERVICE_PORT = 3000
const PROVIDER_PORT = 4242
const PANEL_PORT = 8090

const DEFAULTS = {
  MOORAGE_DATA_DIR: './data/demo',
  MOORAGE_MOVABLE_CLOCK: 'on',
  LOG_LEVEL: 'error',
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Starts the payment provider, the game panel and the service between them. Ports that are not
 * asked for are the usual ones, or any where those are taken. Throws a ConfigError for variables
 * that make no sense.
 */
export async function startInstallation(env: Environment, { step }: Report): Promise<Installation> {
  const { HOST = '127.0.0.1', PORT } = env
  const port = PORT ?? String(await freePort(HOST, SERVICE_PORT))
  const base = readConfig({ ...DEFAULTS, ...env, PORT: port })
  mkdirSync(base.dataDir, { recursive: true })
  const secret = (name: string) => secretOf(base, name)
  const running: { close(): Promise<void> }[] = []
  async function stop(): Promise<void> {
    for (const it of running.reverse()) await it.close()
  }
  try {
    const provider = await step('payment provider', () => ourProvider(base, secret), urlOf)
    running.push(provider)
    const panel = await step('game panel', () => ourPanel(base, secret), urlOf)
    running.push(panel)
    const config = {
      ...base,
      admin: base.admin ?? { email: ADMIN_EMAIL, password: secret('admin password') },
      privateHosts: [
        ...base.privateHosts,
        `127.0.0.1:${panel.port}`,
        `${SECOND_HOST}/panel=127.0.0.1:${panel.port}`,
      ],
      sandboxProviderUrl: base.sandboxProviderUrl ?? provider.url,
    }
    const kind = config.databaseUrl ? 'the service, on a server' : 'the service, embedded database'
    const service = await step(kind, () => startService(config, areas), urlOf)
    running.push({ close: service.stop })
    return { config, service, url: service.url ?? '', provider, panel, secret, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const urlOf = ({ url }: { url: string | null }) => url ?? ''

type Secret = Installation['secret']

async function ourProvider({ dataDir }: Config, secret: Secret): Promise<Provider> {
  return startProvider({
    port: await freePort('127.0.0.1', PROVIDER_PORT),
    controlToken: secret('provider controls'),
    secretKeys: [`sk_test_${secret('provider key')}`],
    publishableKey: `pk_test_${secret('provider page')}`,
    snapshotFile: path.join(dataDir, 'provider.json'),
  })
}

async function ourPanel({ dataDir }: Config, secret: Secret): Promise<RunningPanel> {
  return startPanel({
    port: await freePort('127.0.0.1', PANEL_PORT),
    controlToken: secret('panel controls'),
    applicationKey: `ptla_${secret('panel application')}`,
    clientKey: `ptlc_${secret('panel client')}`,
    snapshotFile: path.join(dataDir, 'panel.state'),
  })
}

const SECRET_LENGTH = 20

// Derived, so that a run that was interrupted anywhere leaves nothing that the next cannot open.
function secretOf({ secretKeys }: Config, name: string): string {
  const [key] = secretKeys
  if (!key) throw new Error('There is no secret key')
  return createHmac('sha256', key)
    .update(`demo: ${name}`)
    .digest('base64url')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, SECRET_LENGTH)
}

/** The wanted port if nobody listens there, else any. */
async function freePort(host: string, wanted: number): Promise<number> {
  return (await portOn(host, wanted)) ?? (await portOn(host, 0)) ?? 0
}

function portOn(host: string, port: number): Promise<number | null> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : null))
    })
  })
}
