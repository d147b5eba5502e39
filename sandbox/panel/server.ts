import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import { Faults } from './controls/faults.ts'
import { Journal } from './controls/journal.ts'
import { startAnew } from './controls/reset.ts'
import type { Flavour, FlavourName } from './flavour.ts'
import { listen } from './http/listener.ts'
import { type RateLimits, Throttle } from './http/throttle.ts'
import type { Panel, SeedOptions } from './panel.ts'
import { pelican } from './pelican/flavour.ts'
import { pterodactyl } from './pterodactyl/flavour.ts'
import { Clock, seededRandom } from './state/clock.ts'
import { emptyData } from './state/data.ts'
import { Installs } from './state/installs.ts'
import { newToken } from './state/keys.ts'
import { keepSnapshotFile, restoreFrom } from './state/snapshot-file.ts'

type Optional<T> = { [Name in keyof T]?: T[Name] | undefined }

export type PanelOptions = Optional<
  SeedOptions & {
    flavour: FlavourName
    /** 0, which is the default, takes any free port. */
    port: number
    host: string
    controlToken: string
    applicationKey: string
    clientKey: string
    /** How long an installation takes by the panel's clock, unless told otherwise. */
    installSeconds: number
    /** Requests a minute, for each owner of keys. */
    rateLimits: Optional<RateLimits>
    /** Placement is random; the same seed chooses the same allocations. */
    randomSeed: number
    /** Keeps everything but the keys over a restart. */
    snapshotFile: string
  }
>

export type RunningPanel = {
  url: string
  port: number
  /** Bearer of everything under `/_sandbox/`. */
  controlToken: string
  /** An application key with every permission. */
  applicationKey: string
  /** The account key of an administrator. */
  clientKey: string
  close: () => Promise<void>
}

const FLAVOURS: Record<FlavourName, Flavour> = { pterodactyl, pelican }

/** Starts a game panel in this process. */
export async function startPanel(options: PanelOptions = {}): Promise<RunningPanel> {
  const { flavour: name = 'pterodactyl', port = 0, host = '127.0.0.1', randomSeed = 1 } = options
  const flavour = FLAVOURS[name]
  const { keyPrefix, rateLimits } = flavour
  const keys = {
    controlToken: options.controlToken ?? newToken('ctl_'),
    applicationKey: options.applicationKey ?? newToken(keyPrefix.application),
    clientKey: options.clientKey ?? newToken(keyPrefix.account),
  }
  const clock = new Clock()
  const panel: Panel = {
    flavour,
    clock,
    faults: new Faults(),
    journal: new Journal(),
    throttle: new Throttle(clock, {
      application: options.rateLimits?.application ?? rateLimits.application,
      client: options.rateLimits?.client ?? rateLimits.client,
    }),
    installs: new Installs({ outcome: 'succeed', seconds: options.installSeconds ?? 0.3 }),
    start: { ...keys, seed: seedOf(options), randomSeed },
    data: emptyData(),
    random: seededRandom(randomSeed),
    twoFactorRequired: false,
  }
  startAnew(panel)
  const { snapshotFile } = options
  if (snapshotFile) restoreFrom(snapshotFile, panel)
  const file = snapshotFile ? keepSnapshotFile(snapshotFile, panel) : null
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // A caller who hung up in the middle of a request needs no answer.
    listen(panel, request, response)
      .catch(() => response.destroy())
      .finally(() => file?.changed())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const { port: actualPort } = server.address() as AddressInfo
  async function close(): Promise<void> {
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    file?.close()
  }
  return { url: `http://${host}:${actualPort}`, port: actualPort, ...keys, close }
}

function seedOf(options: PanelOptions): SeedOptions {
  return {
    locations: options.locations ?? 2,
    nodes: options.nodes ?? 3,
    portsPerNode: options.portsPerNode ?? 100,
    memory: options.memory ?? 65_536,
    disk: options.disk ?? 1_048_576,
  }
}
