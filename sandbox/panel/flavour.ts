import type { Item, View } from './http/envelope.ts'
import type { PanelError } from './http/errors.ts'
import type { Route } from './http/router.ts'
import type { SeedOptions } from './panel.ts'
import type { RuleSet } from './rules/validate.ts'
import type { Data } from './state/data.ts'
import type { Egg, PanelNode, Server, User } from './state/rows.ts'

export type FlavourName = 'pterodactyl' | 'pelican'

/** How a panel shows what both products have, each in its own way. */
export type Presenters = {
  user(view: View, user: User): Item
  node(view: View, node: PanelNode): Item
  egg(view: View, egg: Egg): Item
  server(view: View, server: Server): Item
}

/** What a panel makes of a machine that fails in the middle of an operation. */
export type DaemonTroubles = {
  unreachable(): PanelError
  refused(): PanelError
  /** Whether what was written down before the machine was asked is taken back. */
  undone: boolean
}

/** What makes one panel product differ from another; everything else is shared. */
export type Flavour = {
  name: FlavourName
  routes: readonly Route[]
  present: Presenters
  /** Rules of a server's start that not every panel has. */
  serverRules: { startup: RuleSet; image: RuleSet }
  daemon: DaemonTroubles
  /** First five characters of a new key. */
  keyPrefix: { application: string; account: string }
  /** Requests a minute, for each owner of keys. */
  rateLimits: { application: number; client: number }
  /** Whether requests are counted only once the path and the rights are found good. */
  countsLate: boolean
  /** Fills empty tables with places, machines and eggs. */
  seed: (data: Data, options: SeedOptions, now: number) => void
}
