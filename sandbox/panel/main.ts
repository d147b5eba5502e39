import type { FlavourName } from './flavour.ts'
import { startPanel } from './server.ts'

const { env } = process

/** A number of the environment; unset leaves the default. Throws for what is no number. */
function number(name: string): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) throw new RangeError(`${name} is not a number: ${text}`)
  return value
}

/** Which panel it plays; unset is Pterodactyl. Throws for a name that is neither. */
function flavour(): FlavourName | undefined {
  const name = env.FLAVOUR || undefined
  if (name === undefined || name === 'pterodactyl' || name === 'pelican') return name
  throw new RangeError(`FLAVOUR is pterodactyl or pelican, not ${name}`)
}

const panel = await startPanel({
  flavour: flavour(),
  port: number('PORT'),
  host: env.HOST || undefined,
  controlToken: env.CONTROL_TOKEN || undefined,
  applicationKey: env.APPLICATION_KEY || undefined,
  clientKey: env.CLIENT_KEY || undefined,
  installSeconds: number('INSTALL_SECONDS'),
  locations: number('LOCATIONS'),
  nodes: number('NODES'),
  portsPerNode: number('PORTS_PER_NODE'),
  memory: number('MEMORY'),
  disk: number('DISK'),
  snapshotFile: env.SNAPSHOT_FILE || undefined,
  rateLimits: { application: number('RATE_LIMIT'), client: number('RATE_LIMIT') },
})
console.log(panel.url)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void panel.close().then(() => process.exit(0)))
}
