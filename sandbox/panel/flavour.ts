import type { Route } from './http/router.ts'
import type { SeedOptions } from './panel.ts'
import type { Data } from './state/data.ts'

export type FlavourName = 'pterodactyl' | 'pelican'

/** What makes one panel product differ from another; everything else is shared. */
export type Flavour = {
  name: FlavourName
  routes: readonly Route[]
  /** First five characters of a new key. */
  keyPrefix: { application: string; account: string }
  /** Requests a minute, for each owner of keys. */
  rateLimits: { application: number; client: number }
  /** Fills empty tables with places, machines and eggs. */
  seed: (data: Data, options: SeedOptions, now: number) => void
}
