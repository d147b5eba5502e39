import { createHash, randomUUID } from 'node:crypto'
import type { SeedOptions } from '../panel.ts'
import type { Data } from '../state/data.ts'
import { readEggFiles } from '../state/egg-files.ts'
import { randomText } from '../state/keys.ts'
import type { PanelNode } from '../state/rows.ts'

export const PLACES = [
  { short: 'fra', long: 'Frankfurt, Germany' },
  { short: 'ams', long: 'Amsterdam, Netherlands' },
  { short: 'nyc', long: 'New York, United States' },
  { short: 'sgp', long: 'Singapore' },
]

/** Which nest an egg file belongs to: the first whose pattern its name has. */
const NESTS = [
  { name: 'Minecraft', description: 'Minecraft - the classic game.', files: /^(minecraft|bungee)/ },
  { name: 'Source Engine', description: 'Games on the Source engine.', files: /source|garrys/ },
  { name: 'Voice Servers', description: 'Voice servers.', files: /^teamspeak/ },
  { name: 'Rust', description: 'Rust - survive.', files: /^rust/ },
  { name: 'Survival Games', description: 'Ark, Terraria, Valheim.', files: /^(ark|terra|valheim)/ },
  { name: 'Applications', description: 'Bots and generic software.', files: /./ },
]

const FIRST_PORT = 25_565

/** Fills a panel with places, machines with free ports, and every egg of the data folder. */
export function seedPterodactyl(data: Data, options: SeedOptions, now: number): void {
  const stamps = { createdAt: now, updatedAt: now }
  for (let index = 0; index < options.locations; index += 1) {
    const place = PLACES[index] ?? { short: `loc${index + 1}`, long: `Location ${index + 1}` }
    data.locations.insert({ ...place, ...stamps })
  }
  const places = data.locations.all()
  for (let index = 0; index < options.nodes; index += 1) {
    const place = places[index % places.length]
    if (!place) break
    const name = `${place.short}-${String(Math.floor(index / places.length) + 1).padStart(2, '0')}`
    const at = { locationId: place.id, tags: [], ip: `203.0.113.${10 + index}` }
    seedNode(data, options, { name, ...at, daemonBase: '/var/lib/pterodactyl/volumes', stamps })
  }
  seedEggs(data, stamps)
}

type NewNode = Pick<PanelNode, 'name' | 'locationId' | 'tags' | 'daemonBase'> & {
  ip: string
  stamps: { createdAt: number; updatedAt: number }
}

/** Adds a machine with its free ports. */
export function seedNode(data: Data, options: SeedOptions, { ip, stamps, ...node }: NewNode): void {
  const fqdn = `${node.name}.example.net`
  const { id: nodeId } = data.nodes.insert({
    ...node,
    uuid: randomUUID(),
    public: true,
    description: null,
    fqdn,
    scheme: 'https',
    behindProxy: false,
    maintenanceMode: false,
    memory: options.memory,
    memoryOverallocate: 0,
    disk: options.disk,
    diskOverallocate: 0,
    cpu: 0,
    cpuOverallocate: 0,
    uploadSize: 100,
    daemonListen: 8080,
    daemonSftp: 2022,
    daemonTokenId: randomText(16),
    daemonToken: randomText(64),
    daemon: 'up',
    ...stamps,
  })
  for (let index = 0; index < options.portsPerNode; index += 1) {
    const port = FIRST_PORT + index
    data.allocations.insert({ nodeId, ip, alias: fqdn, port, notes: null, serverId: null })
  }
}

function seedEggs(data: Data, stamps: { createdAt: number; updatedAt: number }): void {
  const nests = NESTS.map(({ files, ...nest }) => ({
    files,
    row: data.nests.insert({
      ...nest,
      uuid: stableUuid(nest.name),
      author: 'support@pterodactyl.io',
      ...stamps,
    }),
  }))
  for (const { fileName, egg, variables } of readEggFiles()) {
    const nest = nests.find(({ files }) => files.test(fileName))
    if (!nest) continue
    const uuid = stableUuid(fileName)
    const { id: eggId } = data.eggs.insert({ ...egg, uuid, nestId: nest.row.id, ...stamps })
    for (const variable of variables) data.eggVariables.insert({ ...variable, eggId, ...stamps })
  }
}

/** The same uuid for the same name, so that a panel started again has the same eggs. */
export function stableUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  const variant = '8'
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
