import type { Egg } from './egg.ts'
import type { EggRow } from './queries.ts'

export type KnownEgg = Pick<EggRow, 'id' | 'remoteId' | 'uuid' | 'contentHash' | 'archivedAt'>

/** The changes that make the catalogue equal to a panel's eggs. */
export type SyncPlan = {
  create: Egg[]
  update: { id: string; egg: Egg }[]
  unchanged: number
  /** Eggs that the panel no longer has: to be archived. */
  remove: string[]
}

/**
 * Compares a panel's eggs with the stored ones. An egg is identified by its id on the panel; one
 * that was created again there keeps its row by its uuid. One that reappeared is an update.
 */
export function planSync(known: readonly KnownEgg[], found: readonly Egg[]): SyncPlan {
  // A nest that changes between two pages can return an egg twice.
  const eggs = new Map(found.map((egg) => [egg.remoteId, egg]))
  const byRemoteId = new Map(known.map((row) => [row.remoteId, row]))
  const left = known.filter((row) => !eggs.has(row.remoteId))
  const plan: SyncPlan = { create: [], update: [], unchanged: 0, remove: [] }
  const moved = new Set<KnownEgg>()
  for (const egg of eggs.values()) {
    const row = byRemoteId.get(egg.remoteId) ?? left.find((it) => isSame(it, egg) && !moved.has(it))
    if (!row) {
      plan.create.push(egg)
      continue
    }
    moved.add(row)
    const same = row.contentHash === egg.contentHash && row.remoteId === egg.remoteId
    if (same && row.archivedAt === null) plan.unchanged += 1
    else plan.update.push({ id: row.id, egg })
  }
  const gone = left.filter((row) => row.archivedAt === null && !moved.has(row))
  return { ...plan, remove: gone.map(({ id }) => id) }
}

function isSame(row: KnownEgg, egg: Egg): boolean {
  return egg.uuid !== null && row.uuid === egg.uuid
}

/** An egg in a form that the database can store: panels may contain text that it cannot. */
export function storable(egg: Egg): Egg {
  const clean = (_name: string, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value
  return JSON.parse(JSON.stringify(egg), clean)
}
