import type {
  Allocation,
  Backup,
  Database,
  Egg,
  EggVariable,
  Key,
  Location,
  Nest,
  PanelNode,
  Server,
  Subuser,
  User,
} from './rows.ts'
import { Table } from './table.ts'

/** Everything the panel would keep in its database. */
export type Data = {
  users: Table<User>
  locations: Table<Location>
  nodes: Table<PanelNode>
  allocations: Table<Allocation>
  nests: Table<Nest>
  eggs: Table<Egg>
  eggVariables: Table<EggVariable>
  servers: Table<Server>
  subusers: Table<Subuser>
  databases: Table<Database>
  backups: Table<Backup>
  keys: Table<Key>
}

export function emptyData(): Data {
  return {
    users: new Table(),
    locations: new Table(),
    nodes: new Table(),
    allocations: new Table(),
    nests: new Table(),
    eggs: new Table(),
    eggVariables: new Table(),
    servers: new Table(),
    subusers: new Table(),
    databases: new Table(),
    backups: new Table(),
    keys: new Table(),
  }
}

export function variablesOf(data: Data, eggId: number): EggVariable[] {
  return data.eggVariables.where((variable) => variable.eggId === eggId)
}

export function allocationsOf(data: Data, serverId: number): Allocation[] {
  return data.allocations.where((allocation) => allocation.serverId === serverId)
}

export function databasesOf(data: Data, serverId: number): Database[] {
  return data.databases.where((database) => database.serverId === serverId)
}

export function backupsOf(data: Data, serverId: number): Backup[] {
  return data.backups.where((backup) => backup.serverId === serverId)
}

export function serversOn(data: Data, nodeId: number): Server[] {
  return data.servers.where((server) => server.nodeId === nodeId)
}

/** What the limits of a node's servers add up to; an unlimited server counts nothing. */
export function allocatedOn(data: Data, nodeId: number) {
  const sum = { memory: 0, disk: 0, cpu: 0 }
  for (const { limits } of serversOn(data, nodeId)) {
    sum.memory += limits.memory
    sum.disk += limits.disk
    sum.cpu += limits.cpu
  }
  return sum
}

/** Texts are equal as the panel's database compares them: without regard to case. */
export function same(a: string | null, b: string): boolean {
  return a !== null && a.toLowerCase() === b.toLowerCase()
}

/** Whether the one status field says installed: a suspended server does, finished or not. */
export function isInstalled({ status }: Server): boolean {
  return status !== 'installing' && status !== 'install_failed'
}
