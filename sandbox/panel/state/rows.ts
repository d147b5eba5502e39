/** Moments are milliseconds since 1970 on the panel's own clock; sizes are MiB. */
export type Stamps = { createdAt: number; updatedAt: number }

export type User = Stamps & {
  id: number
  uuid: string
  externalId: string | null
  username: string
  email: string
  firstName: string
  lastName: string
  language: string
  rootAdmin: boolean
  /** What else the user administers; on panels that have roles. */
  roles: string[]
  twoFactor: boolean
  /** Null until one was set: then the password that all people of the sandbox have. */
  password: string | null
}

export type Location = Stamps & { id: number; short: string; long: string | null }

export type PanelNode = Stamps & {
  id: number
  uuid: string
  public: boolean
  name: string
  description: string | null
  /** 0 on panels without locations. */
  locationId: number
  /** What stands for locations on such panels. */
  tags: string[]
  fqdn: string
  scheme: string
  behindProxy: boolean
  maintenanceMode: boolean
  memory: number
  memoryOverallocate: number
  disk: number
  diskOverallocate: number
  /** Percent of one core; 0 is unlimited. */
  cpu: number
  cpuOverallocate: number
  uploadSize: number
  daemonListen: number
  daemonSftp: number
  daemonBase: string
  daemonTokenId: string
  daemonToken: string
  /** Whether the daemon of this machine answers, and whether with more than an error. */
  daemon: 'up' | 'down' | 'refuses'
}

export type Allocation = {
  id: number
  nodeId: number
  ip: string
  alias: string | null
  port: number
  notes: string | null
  serverId: number | null
}

export type Nest = Stamps & {
  id: number
  uuid: string
  author: string
  name: string
  description: string | null
}

export type Egg = Stamps & {
  id: number
  uuid: string
  /** 0 on panels without nests. */
  nestId: number
  name: string
  author: string
  description: string | null
  features: string[]
  tags: string[]
  dockerImages: Record<string, string>
  fileDenylist: string[]
  /** By label; the first is what panels with a single one know. */
  startupCommands: Record<string, string>
  config: { files: unknown; startup: unknown; logs: unknown; stop: string | null }
  script: { install: string; entry: string; container: string }
}

export type EggVariable = Stamps & {
  id: number
  eggId: number
  name: string
  description: string
  envVariable: string
  defaultValue: string
  userViewable: boolean
  userEditable: boolean
  rules: string[]
  sort: number
}

export type ServerStatus =
  | null
  | 'installing'
  | 'install_failed'
  | 'reinstall_failed'
  | 'suspended'
  | 'restoring_backup'

/** MiB, percent of one core, and a block-io weight; 0 is unlimited, swap -1 too. */
export type Limits = {
  memory: number
  swap: number
  disk: number
  io: number
  cpu: number
  threads: string | null
}

export type InstallOutcome = 'succeed' | 'fail' | 'never'
export type Installation = { outcome: InstallOutcome; dueAt: number; reinstall: boolean }
export type PowerState = 'offline' | 'starting' | 'running' | 'stopping'

export type Server = Stamps & {
  id: number
  uuid: string
  externalId: string | null
  name: string
  description: string
  status: ServerStatus
  limits: Limits
  oomDisabled: boolean
  databaseLimit: number | null
  allocationLimit: number | null
  backupLimit: number
  ownerId: number
  nodeId: number
  /** Null for a server without any address, which not every panel allows. */
  allocationId: number | null
  eggId: number
  startup: string
  image: string
  skipScripts: boolean
  startOnCompletion: boolean
  /** Values by id of the egg variable; a variable without one has its default. */
  variables: Map<number, string>
  installation: Installation | null
  transferring: boolean
  power: { target: 'offline' | 'running'; since: number }
  /** The last figures that were asked for, and when. */
  figures: { at: number; body: Record<string, unknown> } | null
}

export type Subuser = {
  id: number
  serverId: number
  userId: number
  permissions: string[]
  createdAt: number
}

export type Database = {
  id: number
  serverId: number
  name: string
  username: string
  remote: string
  createdAt: number
}

export type Backup = {
  id: number
  uuid: string
  serverId: number
  name: string
  createdAt: number
}

export type Resource =
  | 'servers'
  | 'nodes'
  | 'allocations'
  | 'users'
  | 'locations'
  | 'nests'
  | 'eggs'
  | 'database_hosts'
  | 'server_databases'
  | 'roles'

export type Key = {
  id: number
  token: string
  kind: 'application' | 'account'
  userId: number
  /** Bit flags for each resource: 1 reads, 2 writes. Of an application key only. */
  permissions: Partial<Record<Resource, number>>
  /** Addresses it may be used from; empty is any. */
  allowedIps: string[]
}
