import type { Need, PanelNode } from '../clients/contract.ts'

type Amount = Pick<Need, 'memoryMb' | 'diskMb'>

/**
 * What a machine still has, in MiB, as panels count: its size with overallocation, less what its
 * servers were promised. An overallocation of -1 is no "unlimited": panels take off one percent.
 * Negative when a machine is overfull.
 */
export function freeOn(node: PanelNode): Amount {
  return {
    memoryMb: sizeOf(node.memoryMb, node.memoryOverallocatePercent) - node.memoryAllocatedMb,
    diskMb: sizeOf(node.diskMb, node.diskOverallocatePercent) - node.diskAllocatedMb,
  }
}

function sizeOf(sizeMb: number, overallocatePercent: number): number {
  return Math.floor((sizeMb * (100 + overallocatePercent)) / 100)
}

/** Whether a panel would place such a server here. A need of 0 is unlimited and takes nothing. */
export function fits(node: PanelNode, { memoryMb, diskMb, locationIds }: Need): boolean {
  if (!node.public || node.maintenance || !isIn(node, locationIds)) return false
  const free = freeOn(node)
  return memoryMb <= free.memoryMb && diskMb <= free.diskMb
}

/** Without locations any will do. */
function isIn(node: PanelNode, locationIds: string[]): boolean {
  return locationIds.length === 0 || node.locationIds.some((id) => locationIds.includes(id))
}

/**
 * Whether a server on this machine may grow: panels do not check that themselves. Becoming
 * smaller always goes, on a full machine too.
 */
export function canGrow(node: PanelNode, change: { from: Amount; to: Amount }): boolean {
  const free = freeOn(node)
  const memoryMb = change.to.memoryMb - change.from.memoryMb
  const diskMb = change.to.diskMb - change.from.diskMb
  return (memoryMb <= 0 || memoryMb <= free.memoryMb) && (diskMb <= 0 || diskMb <= free.diskMb)
}

/** How many such servers still fit, given the free ports of each machine. */
export function placesFor(nodes: readonly (PanelNode & { freePorts: number })[], need: Need) {
  return nodes
    .filter((node) => fits(node, need))
    .map((node) => {
      const free = freeOn(node)
      const byMemory = need.memoryMb > 0 ? Math.floor(free.memoryMb / need.memoryMb) : Infinity
      const byDisk = need.diskMb > 0 ? Math.floor(free.diskMb / need.diskMb) : Infinity
      return Math.min(byMemory, byDisk, node.freePorts)
    })
    .reduce((sum, places) => sum + places, 0)
}
