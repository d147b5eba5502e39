import type { SeedOptions } from '../panel.ts'
import { PLACES, seedNode, stableUuid } from '../pterodactyl/seed.ts'
import type { Data } from '../state/data.ts'
import { readEggFiles } from '../state/egg-files.ts'

/** Fills a panel with machines, each tagged with its place, and the eggs of both kinds of panel. */
export function seedPelican(data: Data, options: SeedOptions, now: number): void {
  const stamps = { createdAt: now, updatedAt: now }
  for (let index = 0; index < options.nodes; index += 1) {
    const place = index % options.locations
    const tag = PLACES[place]?.short ?? `loc${place + 1}`
    const number = String(Math.floor(index / options.locations) + 1).padStart(2, '0')
    const at = { locationId: 0, tags: [tag], ip: `203.0.113.${10 + index}` }
    const daemonBase = '/var/lib/pelican/volumes'
    seedNode(data, options, { name: `${tag}-${number}`, ...at, daemonBase, stamps })
  }
  for (const { fileName, egg, variables } of [...readEggFiles(), ...readEggFiles('pelican-eggs')]) {
    const uuid = stableUuid(fileName)
    const { id: eggId } = data.eggs.insert({ ...egg, uuid, nestId: 0, ...stamps })
    for (const variable of variables) data.eggVariables.insert({ ...variable, eggId, ...stamps })
  }
}
