import type { Faults } from './controls/faults.ts'
import type { Journal } from './controls/journal.ts'
import type { Flavour } from './flavour.ts'
import type { Throttle } from './http/throttle.ts'
import type { Clock } from './state/clock.ts'
import type { Data } from './state/data.ts'
import type { Installs } from './state/installs.ts'

/** The numbers a panel is started with. */
export type SeedOptions = {
  locations: number
  nodes: number
  portsPerNode: number
  /** Memory of each node, in MiB. */
  memory: number
  /** Disk of each node, in MiB. */
  disk: number
}

/** What a panel was started with, and goes back to on a reset. */
export type Start = {
  controlToken: string
  applicationKey: string
  clientKey: string
  seed: SeedOptions
  randomSeed: number
}

/** One running panel: its data, its clock and what it was told to do wrong. */
export type Panel = {
  readonly start: Start
  readonly flavour: Flavour
  readonly clock: Clock
  readonly faults: Faults
  readonly journal: Journal
  readonly throttle: Throttle
  readonly installs: Installs
  /** Gone and seeded anew on a reset. */
  data: Data
  random: () => number
  /** Whether an owner of a key needs a second factor. */
  twoFactorRequired: boolean
}
