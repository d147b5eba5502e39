import type { Need, PanelNode } from '../clients/contract.ts'

/** A machine, and how many of its ports are not used by a server. */
export type Machine = PanelNode & { freePorts: number }

type Amount = Pick<Need, 'memoryMb' | 'diskMb' | 'cpuPercent'>

/**
 * The free resources of a machine, in MiB and percent of one core, as panels calculate them: its size
 * with overallocation, minus what is assigned to its servers. Negative if a machine is overfull,
 * infinite without a limit. An overallocation of -1 reduces the size by one percent, unless there is
 * no limit.
 */
export function freeOn(node: PanelNode): Amount {
  const total = totalOn(node)
  return {
    memoryMb: total.memoryMb - node.memoryAllocatedMb,
    diskMb: total.diskMb - node.diskAllocatedMb,
    cpuPercent: total.cpuPercent - node.cpuAllocatedPercent,
  }
}

/** The size of a machine with its overallocation. */
export function totalOn(node: PanelNode): Amount {
  return {
    memoryMb: sizeOf(node.memoryMb, node.memoryOverallocatePercent),
    diskMb: sizeOf(node.diskMb, node.diskOverallocatePercent),
    cpuPercent: sizeOf(node.cpuPercent, node.cpuOverallocatePercent),
  }
}

function sizeOf(size: number, overallocatePercent: number): number {
  return Math.floor((size * (100 + overallocatePercent)) / 100)
}

/** Whether a panel would place such a server here. A need of 0 is unlimited and takes nothing. */
export function fits(node: PanelNode, { locationIds, ...need }: Need): boolean {
  if (!node.public || node.maintenance || !isIn(node, locationIds)) return false
  const free = freeOn(node)
  return AMOUNTS.every((amount) => need[amount] <= free[amount])
}

const AMOUNTS = ['memoryMb', 'diskMb', 'cpuPercent'] as const satisfies (keyof Amount)[]

/** Without locations any machine will do. */
function isIn(node: PanelNode, locationIds: string[]): boolean {
  return locationIds.length === 0 || node.locationIds.some((id) => locationIds.includes(id))
}

/**
 * Whether a server on this machine may grow: panels do not check that themselves. Shrinking is always
 * possible, on a full machine too.
 */
export function canGrow(node: PanelNode, change: { from: Amount; to: Amount }): boolean {
  const free = freeOn(node)
  return AMOUNTS.every((amount) => {
    const more = change.to[amount] - change.from[amount]
    return more <= 0 || more <= free[amount]
  })
}

/** How many such servers still fit, given the free ports of each machine. */
export function placesFor(nodes: readonly Machine[], need: Need) {
  return nodes
    .filter((node) => fits(node, need))
    .map((node) => {
      const free = freeOn(node)
      const byAmount = AMOUNTS.filter((amount) => need[amount] > 0).map((amount) =>
        Math.floor(free[amount] / need[amount]),
      )
      return Math.min(...byAmount, node.freePorts)
    })
    .reduce((sum, places) => sum + places, 0)
}
