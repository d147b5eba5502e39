import type { Egg } from '../eggs/egg.ts'
import type { Environment } from '../eggs/rules.ts'
import type { PanelErrorKind } from './panel-error.ts'

export type PanelType = 'pterodactyl' | 'pelican'

/** Where servers can be placed. On panels without locations, a tag of their machines. */
export type PanelLocation = { id: string; name: string }

export type PanelTest = {
  ok: boolean
  type: PanelType
  locations: PanelLocation[]
  /** As `servers:write`; `client_api` when the client key is of no use. */
  missingPermissions: string[]
  /** What kept the test from being made; absent when it was made. */
  fault?: PanelErrorKind
  /** One sentence for an admin: what is wrong, or what is particular about this panel. */
  message?: string
  latencyMs: number
  /** Requests a minute, as the panel tells it. */
  rateLimit?: number
}

export type PanelUser = {
  id: number
  uuid: string
  externalId: string | null
  email: string
  username: string
  firstName: string
  lastName: string
  /** Such an account rules the whole panel: it never becomes a customer's. */
  rootAdmin: boolean
}

export type UserDraft = Pick<PanelUser, 'email' | 'username' | 'firstName' | 'lastName'> & {
  externalId: string
}

/** Sizes in MiB, CPU in percent of one core; 0 is unlimited. */
export type ServerLimits = {
  memoryMb: number
  /** -1 is unlimited, 0 none. */
  swapMb: number
  diskMb: number
  cpuPercent: number
  /** Weight of disk access, 10 to 1000; 500 is usual. */
  io: number
  /** Pinned cores, as `0,2-4`. */
  threads: string | null
}

/** `allocations` counts the primary one too; `databases` may be null, which is unlimited. */
export type FeatureLimits = { databases: number | null; backups: number; allocations: number }

export type PanelAllocation = {
  id: number
  ip: string
  /** The name to show for the address, if the panel has one. */
  alias: string | null
  port: number
  assigned: boolean
}

/** `installed` says nothing of running; `suspended` hides how the installation went. */
export type ServerStatus =
  | 'installed'
  | 'installing'
  | 'install_failed'
  | 'reinstall_failed'
  | 'suspended'
  | 'restoring_backup'

export type PanelServer = {
  id: number
  uuid: string
  /** Short and opaque; its form differs between panels. */
  identifier: string
  externalId: string | null
  name: string
  description: string
  status: ServerStatus
  userId: number
  nodeId: number
  eggId: number
  /** The primary allocation; null when the panel placed none. */
  allocationId: number | null
  /** Filled by `createServer`, `getServer`, `findServerByExternalId` and `updateBuild`. */
  allocations: PanelAllocation[]
  limits: ServerLimits
  featureLimits: FeatureLimits
  /** Whether the system may kill the server when its memory runs out. */
  oomKiller: boolean
  startup: string
  image: string
  /** The egg's variables only. */
  environment: Environment
}

/** Left to the panel: any port without a range, any location without one. */
export type AutomaticPlacement = {
  locationIds: string[]
  dedicatedIp: boolean
  portRange: string[]
}

/** Where to put a new server: left to the panel, or on allocations chosen by us. */
export type Placement = AutomaticPlacement | { allocationId: number; additionalIds: number[] }

export type ServerDraft = Pick<
  PanelServer,
  | 'name'
  | 'description'
  | 'userId'
  | 'eggId'
  | 'image'
  | 'startup'
  | 'environment'
  | 'limits'
  | 'featureLimits'
  | 'oomKiller'
> & {
  /** Unique on the panel: with it, one intent never becomes two servers. */
  externalId: string
  placement: Placement
  skipScripts: boolean
  startOnCompletion: boolean
}

/** `externalId` is named each time: a panel forgets it when it is left out. */
export type DetailsChange = { externalId: string } & Partial<
  Pick<PanelServer, 'name' | 'description' | 'userId'>
>

export type BuildChange = {
  limits?: Partial<ServerLimits>
  featureLimits?: Partial<FeatureLimits>
  oomKiller?: boolean
  /** Another allocation of the server as its primary one. */
  allocationId?: number
  addAllocationIds?: number[]
  removeAllocationIds?: number[]
}

/** Values left out keep what the server has. */
export type StartupChange = Partial<
  Pick<PanelServer, 'eggId' | 'image' | 'startup' | 'environment'>
> & { skipScripts?: boolean }

/** A machine of the panel. Sizes in MiB, CPU in percent of one core; Infinity is no limit. */
export type PanelNode = {
  id: number
  name: string
  fqdn: string
  /** Where its daemon takes SFTP. */
  sftpPort: number
  locationIds: string[]
  public: boolean
  maintenance: boolean
  memoryMb: number
  diskMb: number
  cpuPercent: number
  /** Percent on top of the size. */
  memoryOverallocatePercent: number
  diskOverallocatePercent: number
  cpuOverallocatePercent: number
  /** The sum of what its servers were promised; an unlimited one counts 0. */
  memoryAllocatedMb: number
  diskAllocatedMb: number
  cpuAllocatedPercent: number
}

export type Need = { memoryMb: number; diskMb: number; cpuPercent: number; locationIds: string[] }

export type PowerSignal = 'start' | 'stop' | 'restart' | 'kill'

export type ServerResources = {
  state: 'offline' | 'starting' | 'running' | 'stopping' | 'missing'
  suspended: boolean
  memoryBytes: number
  diskBytes: number
  cpuPercent: number
  networkInBytes: number
  networkOutBytes: number
  uptimeMs: number
}

export type Subuser = { uuid: string; email: string; username: string; permissions: string[] }

/**
 * What this service asks of a game panel, in its own words. Each call may throw a `PanelError`. A
 * write that throws `unknown_outcome` may have happened; any other error says that it has not.
 */
export type PanelClient = {
  readonly type: PanelType

  /** Tries the connection; a fault is an answer (`ok: false`). Success closes an open breaker. */
  test(): Promise<PanelTest>
  /** All eggs with their variables, or an error: never a part of them. */
  listEggs(): Promise<Egg[]>
  listLocations(): Promise<PanelLocation[]>
  listNodes(): Promise<PanelNode[]>
  /** Machines that the panel itself would choose from; empty when none fits. */
  listDeployableNodes(need: Need): Promise<PanelNode[]>
  /** Sorted by id. */
  listAllocations(nodeId: number, filter?: { free?: boolean }): Promise<PanelAllocation[]>
  countFreeAllocations(nodeId: number): Promise<number>

  findUserByExternalId(externalId: string): Promise<PanelUser | undefined>
  /** The user with exactly this address, letter case aside. */
  findUserByEmail(email: string): Promise<PanelUser | undefined>
  /** `already_exists` names the taken `email`, `username` or `external_id` in its fields. */
  createUser(draft: UserDraft): Promise<PanelUser>
  /** Gives an existing user our external id and keeps everything else. */
  linkUser(user: PanelUser, externalId: string): Promise<PanelUser>
  /** Gives an existing user another name and address. */
  renameUser(id: number, draft: UserDraft): Promise<PanelUser>
  /** Sets the password that a user signs in to the panel with, and keeps everything else. */
  setPassword(user: PanelUser, password: string): Promise<void>
  /** A user who is gone already is success; one who owns servers is a `conflict`. */
  deleteUser(id: number): Promise<void>

  /** Undefined only when the panel has said in so many words that there is none. */
  findServerByExternalId(externalId: string): Promise<PanelServer | undefined>
  listServers(): Promise<PanelServer[]>
  /** A hundred servers at most, by id; whoever reads all pages waits for everybody else. */
  listServerPage(page: number): Promise<{ servers: PanelServer[]; isLast: boolean }>
  getServer(id: number): Promise<PanelServer>
  /** `already_exists`: a server with this external id is there and can be adopted. */
  createServer(draft: ServerDraft): Promise<PanelServer>
  updateDetails(id: number, change: DetailsChange): Promise<PanelServer>
  /**
   * Checks no capacity, as panels do not either. `no_allocation` here means that allocations to
   * add were taken already, and that everything else has changed.
   */
  updateBuild(id: number, change: BuildChange): Promise<PanelServer>
  /** Takes effect at the next start; a changed egg needs a reinstall too. */
  updateStartup(id: number, change: StartupChange): Promise<PanelServer>
  suspend(id: number): Promise<void>
  /** Makes a server that never finished installing look installed: remember that elsewhere. */
  unsuspend(id: number): Promise<void>
  reinstall(id: number): Promise<void>
  /** How many databases a server has; null where the key may not see them. */
  countDatabases(id: number): Promise<number | null>
  /** A server that is gone already is success. `force` leaves files behind; for admins only. */
  deleteServer(id: number, options?: { force?: boolean }): Promise<void>

  /** The rest needs a client key (`misconfigured` without one) and a server's uuid. */
  resources(uuid: string): Promise<ServerResources>
  countBackups(uuid: string): Promise<number>
  power(uuid: string, signal: PowerSignal): Promise<void>
  listSubusers(uuid: string): Promise<Subuser[]>
  createSubuser(uuid: string, email: string, permissions: string[]): Promise<Subuser>
  updateSubuser(uuid: string, subuserUuid: string, permissions: string[]): Promise<Subuser>
  /** A subuser that is gone already is success. */
  deleteSubuser(uuid: string, subuserUuid: string): Promise<void>
}
