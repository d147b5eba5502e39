import type { Db } from '#platform/database/index.ts'
import type { Need, PanelLocation } from '../clients/contract.ts'
import { PanelError } from '../clients/panel-error.ts'
import { clientFor, type PanelDeps } from '../nodes/connections.ts'
import { findNode } from '../nodes/queries.ts'
import { freeOn, type Machine, placesFor, totalOn } from './capacity.ts'
import { needOn, newView } from './live-capacity.ts'
import type { Provisioning } from './schema.ts'

/** A size with overallocation and what is left of it, in MiB; null means no limit. */
export type Space = { totalMb: number | null; freeMb: number | null }

export type Room = {
  memory: Space
  disk: Space
  freePorts: number
  /** How many servers of a product still fit; null without a product. */
  fits: number | null
}

export type MachineRoom = Room & {
  id: number
  name: string
  fqdn: string
  locationIds: string[]
  public: boolean
  maintenance: boolean
}

export type LocationRoom = Room & PanelLocation & { machines: number }

/**
 * The machines of a panel and its locations with the room on each. A location counts the machines on which the
 * panel places servers. Asks the panel: not in a transaction. Throws a `PanelError`.
 */
export async function roomOf(
  deps: PanelDeps,
  db: Db,
  { tenantId, nodeId }: { tenantId: string; nodeId: string },
  product: Provisioning | null,
): Promise<{ machines: MachineRoom[]; locations: LocationRoom[] }> {
  const node = await findNode(db, { tenantId, id: nodeId })
  if (!node) {
    const detail = 'The panel connection was deleted.'
    throw new PanelError('misconfigured', { code: 'node_deleted', detail })
  }
  const view = newView(clientFor(deps, node), deps.clock.now())
  const [found, locations] = await Promise.all([view.machines, view.locations()])
  const machines = await Promise.all(
    found.map(async (it) => ({ ...it, freePorts: await view.freePorts(it.id) })),
  )
  const need = product && needOn(product, nodeId)
  return {
    machines: machines.map((it) => machineRoom(it, need)),
    locations: locations.map((it) => locationRoom(it, machines, need)),
  }
}

function machineRoom(machine: Machine, need: Need | null): MachineRoom {
  const { id, name, fqdn, locationIds, maintenance } = machine
  return {
    ...{ id, name, fqdn, locationIds, public: machine.public, maintenance },
    ...roomOn([machine], need),
  }
}

function locationRoom(
  { id, name }: PanelLocation,
  all: readonly Machine[],
  need: Need | null,
): LocationRoom {
  const machines = all.filter((it) => it.public && !it.maintenance && it.locationIds.includes(id))
  return { id, name, machines: machines.length, ...roomOn(machines, need) }
}

function roomOn(machines: readonly Machine[], need: Need | null): Room {
  const sum = (of: (machine: Machine) => number) =>
    machines.reduce((total, machine) => total + of(machine), 0)
  return {
    memory: {
      totalMb: limited(sum((it) => totalOn(it).memoryMb)),
      freeMb: limited(sum((it) => freeOn(it).memoryMb)),
    },
    disk: {
      totalMb: limited(sum((it) => totalOn(it).diskMb)),
      freeMb: limited(sum((it) => freeOn(it).diskMb)),
    },
    freePorts: sum((it) => it.freePorts),
    fits: need && placesFor(machines, need),
  }
}

const limited = (size: number) => (Number.isFinite(size) ? size : null)
