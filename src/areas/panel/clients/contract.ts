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
  /** For example `servers:write`; `client_api` if the client key cannot be used. */
  missingPermissions: string[]
  /** Why the test could not be completed; absent if it was. */
  fault?: PanelErrorKind
  /** One sentence for an administrator: what is wrong, or what is special about this panel. */
  message?: string
  latencyMs: number
  /** Requests per minute, as the panel reports it. */
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
  /** Such an account administers the whole panel: it is never given to a customer. */
  rootAdmin: boolean
}

export type UserDraft = Pick<PanelUser, 'email' | 'username' | 'firstName' | 'lastName'> & {
  externalId: string
}

/** Sizes in MiB, CPU in percent of one core; 0 is unlimited. */
export type ServerLimits = {
  memoryMb: number
  /** -1 is unlimited, 0 is none. */
  swapMb: number
  diskMb: number
  cpuPercent: number
  /** Weight of disk access, 10 to 1000; 500 is usual. */
  io: number
  /** Pinned cores, for example `0,2-4`. */
  threads: string | null
}

/** `allocations` includes the primary one; `databases` may be null, which is unlimited. */
export type FeatureLimits = { databases: number | null; backups: number; allocations: number }

export type PanelAllocation = {
  id: number
  ip: string
  /** The name to show for the address, if the panel has one. */
  alias: string | null
  port: number
  assigned: boolean
}

/** `installed` does not mean running; `suspended` hides the result of the installation. */
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
  /** The primary allocation; null if the panel assigned none. */
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

/** The panel chooses: any port if there is no range, any location if there is none. */
export type AutomaticPlacement = {
  locationIds: string[]
  dedicatedIp: boolean
  portRange: string[]
}

/** Where to put a new server: chosen by the panel, or on the given allocations. */
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
  /** Unique on the panel, so that one intended server is never created twice. */
  externalId: string
  placement: Placement
  skipScripts: boolean
  startOnCompletion: boolean
}

/** `externalId` must always be given: a panel deletes it if it is left out. */
export type DetailsChange = { externalId: string } & Partial<
  Pick<PanelServer, 'name' | 'description' | 'userId'>
>

export type BuildChange = {
  limits?: Partial<ServerLimits>
  featureLimits?: Partial<FeatureLimits>
  oomKiller?: boolean
  /** Makes another allocation of the server its primary one. */
  allocationId?: number
  addAllocationIds?: number[]
  removeAllocationIds?: number[]
}

/** Values that are left out keep their current value. */
export type StartupChange = Partial<
  Pick<PanelServer, 'eggId' | 'image' | 'startup' | 'environment'>
> & { skipScripts?: boolean }

/** A machine of the panel. Sizes in MiB, CPU in percent of one core; Infinity is no limit. */
export type PanelNode = {
  id: number
  name: string
  fqdn: string
  /** The port on which the machine's daemon accepts SFTP. */
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
  /** The sum of the memory assigned to its servers; an unlimited server counts as 0. */
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
 * What this service asks of a game panel, independent of the kind of panel. Each call may throw a
 * `PanelError`. A write that throws `unknown_outcome` may have happened; after any other error it
 * has not.
 */
export type PanelClient = {
  readonly type: PanelType

  /** Tests the connection; a fault is a result (`ok: false`). Success closes an open breaker. */
  test(): Promise<PanelTest>
  /** All eggs with their variables, or an error: never only some of them. */
  listEggs(): Promise<Egg[]>
  listLocations(): Promise<PanelLocation[]>
  listNodes(): Promise<PanelNode[]>
  /** Machines that the panel itself would choose from; empty if none fits. */
  listDeployableNodes(need: Need): Promise<PanelNode[]>
  /** Sorted by id. */
  listAllocations(nodeId: number, filter?: { free?: boolean }): Promise<PanelAllocation[]>
  countFreeAllocations(nodeId: number): Promise<number>

  findUserByExternalId(externalId: string): Promise<PanelUser | undefined>
  /** The user with exactly this e-mail address, ignoring case. */
  findUserByEmail(email: string): Promise<PanelUser | undefined>
  /** `already_exists` names the taken `email`, `username` or `external_id` in its fields. */
  createUser(draft: UserDraft): Promise<PanelUser>
  /** Gives an existing user our external id and keeps everything else. */
  linkUser(user: PanelUser, externalId: string): Promise<PanelUser>
  /** Gives an existing user another name and address. */
  renameUser(id: number, draft: UserDraft): Promise<PanelUser>
  /** Sets the password that a user signs in to the panel with, and keeps everything else. */
  setPassword(user: PanelUser, password: string): Promise<void>
  /** Succeeds if the user is already gone; throws `conflict` for one who owns servers. */
  deleteUser(id: number): Promise<void>

  /** Undefined only if the panel has explicitly answered that there is none. */
  findServerByExternalId(externalId: string): Promise<PanelServer | undefined>
  listServers(): Promise<PanelServer[]>
  /** A hundred servers at most, by id; reading all pages delays everybody else's requests. */
  listServerPage(page: number): Promise<{ servers: PanelServer[]; isLast: boolean }>
  getServer(id: number): Promise<PanelServer>
  /** Throws `already_exists` if a server with this external id exists and can be adopted. */
  createServer(draft: ServerDraft): Promise<PanelServer>
  updateDetails(id: number, change: DetailsChange): Promise<PanelServer>
  /**
   * Does not check capacity, as panels do not either. `no_allocation` means that allocations to add
   * were already taken, and that everything else has been changed.
   */
  updateBuild(id: number, change: BuildChange): Promise<PanelServer>
  /** Takes effect at the next start; a changed egg needs a reinstall too. */
  updateStartup(id: number, change: StartupChange): Promise<PanelServer>
  suspend(id: number): Promise<void>
  /** Makes a server that never finished installing look installed: store that elsewhere. */
  unsuspend(id: number): Promise<void>
  reinstall(id: number): Promise<void>
  /** How many databases a server has; null if the key may not see them. */
  countDatabases(id: number): Promise<number | null>
  /**
   * Succeeds if the server is gone already. `force` leaves files behind; for administrators only.
   */
  deleteServer(id: number, options?: { force?: boolean }): Promise<void>

  /** The remaining calls need a client key (`misconfigured` without one) and a server's uuid. */
  resources(uuid: string): Promise<ServerResources>
  countBackups(uuid: string): Promise<number>
  power(uuid: string, signal: PowerSignal): Promise<void>
  listSubusers(uuid: string): Promise<Subuser[]>
  createSubuser(uuid: string, email: string, permissions: string[]): Promise<Subuser>
  updateSubuser(uuid: string, subuserUuid: string, permissions: string[]): Promise<Subuser>
  /** Succeeds if the subuser is already gone. */
  deleteSubuser(uuid: string, subuserUuid: string): Promise<void>
}
