import type {
  AutomaticPlacement,
  BuildChange,
  PanelServer,
  ServerDraft,
  ServerLimits,
  ServerStatus,
} from '../contract.ts'
import {
  attributesOf,
  type Fields,
  flagOf,
  looseTextOf,
  MalformedAnswer,
  mapOf,
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  relatedOf,
  textMapOf,
  textOf,
} from './envelope.ts'
import { allocationOf, locationNumbers } from './nodes.ts'

const STATUSES: readonly string[] = [
  'installing',
  'install_failed',
  'reinstall_failed',
  'suspended',
  'restoring_backup',
] satisfies ServerStatus[]

/** The variables that a panel adds to a server's environment by itself. */
const BUILT_IN = new Set([
  'STARTUP',
  'P_SERVER_LOCATION',
  'P_SERVER_UUID',
  'P_SERVER_ALLOCATION_LIMIT',
])

export function serverIn(body: unknown): PanelServer {
  return serverOf(attributesOf(body))
}

/** Converts a server of the panel into our form. */
export function serverOf(row: Fields): PanelServer {
  const container = mapOf(row.container)
  const limits = mapOf(row.limits)
  const features = mapOf(row.feature_limits)
  const environment = Object.entries(textMapOf(container.environment))
  return {
    id: numberOf(row, 'id'),
    uuid: textOf(row, 'uuid'),
    identifier: textOf(row, 'identifier'),
    externalId: optionalTextOf(row, 'external_id'),
    name: textOf(row, 'name'),
    description: looseTextOf(row, 'description'),
    status: statusOf(row),
    userId: numberOf(row, 'user'),
    nodeId: numberOf(row, 'node'),
    eggId: numberOf(row, 'egg'),
    allocationId: optionalNumberOf(row, 'allocation'),
    allocations: (relatedOf(row, 'allocations') ?? []).map(allocationOf),
    limits: limitsOf(limits),
    featureLimits: {
      databases: optionalNumberOf(features, 'databases'),
      backups: optionalNumberOf(features, 'backups') ?? 0,
      allocations: optionalNumberOf(features, 'allocations') ?? 0,
    },
    oomKiller:
      'oom_killer' in limits ? flagOf(limits, 'oom_killer') : !flagOf(limits, 'oom_disabled'),
    startup: looseTextOf(container, 'startup_command'),
    image: looseTextOf(container, 'image'),
    environment: Object.fromEntries(environment.filter(([name]) => !BUILT_IN.has(name))),
  }
}

/** An unknown status must not count as "installed": the server would be handed over too early. */
function statusOf(row: Fields): ServerStatus {
  const status = optionalTextOf(row, 'status')
  if (status === null) return flagOf(row, 'suspended') ? 'suspended' : 'installed'
  if (!isStatus(status)) throw new MalformedAnswer(`the status ${status} is unknown`)
  return status
}

function isStatus(status: string): status is ServerStatus {
  return STATUSES.includes(status)
}

function limitsOf(limits: Fields): ServerLimits {
  return {
    memoryMb: numberOf(limits, 'memory'),
    swapMb: numberOf(limits, 'swap'),
    diskMb: numberOf(limits, 'disk'),
    cpuPercent: numberOf(limits, 'cpu'),
    io: numberOf(limits, 'io'),
    threads: optionalTextOf(limits, 'threads'),
  }
}

/** The parts of a request that have other names on each kind of panel. */
export type ServerForm = {
  /** Where the panel should place a server by its own choice. */
  deploy(placement: AutomaticPlacement): Fields
  oomKiller(allowed: boolean): Fields
}

export const pterodactylForm: ServerForm = {
  deploy: ({ locationIds, dedicatedIp, portRange }) => ({
    locations: locationNumbers(locationIds),
    dedicated_ip: dedicatedIp,
    port_range: portRange,
  }),
  oomKiller: (allowed) => ({ oom_disabled: !allowed }),
}

/** The body that creates a server. With `deploy` it may not name an allocation. */
export function creationBody(draft: ServerDraft, form: ServerForm): Fields {
  const { placement } = draft
  const place =
    'allocationId' in placement
      ? { allocation: { default: placement.allocationId, additional: placement.additionalIds } }
      : { deploy: form.deploy(placement) }
  return {
    external_id: draft.externalId,
    name: draft.name,
    description: draft.description,
    user: draft.userId,
    egg: draft.eggId,
    docker_image: draft.image,
    startup: draft.startup,
    environment: draft.environment,
    limits: limitsBody(draft.limits),
    feature_limits: draft.featureLimits,
    ...place,
    skip_scripts: draft.skipScripts,
    ...form.oomKiller(draft.oomKiller),
    start_on_completion: draft.startOnCompletion,
  }
}

/** The complete build of a server with the changes applied: what is left out would be reset. */
export function buildBody(server: PanelServer, change: BuildChange, form: ServerForm): Fields {
  const { addAllocationIds = [], removeAllocationIds = [], oomKiller = server.oomKiller } = change
  return {
    allocation: change.allocationId ?? server.allocationId,
    ...form.oomKiller(oomKiller),
    limits: limitsBody({ ...server.limits, ...change.limits }),
    feature_limits: { ...server.featureLimits, ...change.featureLimits },
    add_allocations: addAllocationIds,
    remove_allocations: removeAllocationIds,
  }
}

function limitsBody(limits: ServerLimits): Fields {
  return {
    memory: limits.memoryMb,
    swap: limits.swapMb,
    disk: limits.diskMb,
    io: limits.io,
    cpu: limits.cpuPercent,
    threads: limits.threads,
  }
}
