import { randomUUID } from 'node:crypto'
import { dataInvalid } from '../../http/errors.ts'
import type { Fields } from '../../http/input.ts'
import { type Call, created, type Reply } from '../../http/router.ts'
import { checkEnvironment } from '../../rules/environment.ts'
import { type RuleSet, validate } from '../../rules/validate.ts'
import { beforeInsert } from '../../state/clock.ts'
import type { Allocation, Limits, Server } from '../../state/rows.ts'
import {
  allocationExists,
  eggRules,
  externalIdRules,
  externalIdTaken,
  SERVER_RULES,
  userRules,
} from './fields.ts'
import { deploy } from './placement.ts'
import { removeServer } from './remove.ts'
import { daemonFailure } from './state.ts'

/** What panels ask for by names of their own when a server is made. */
export type Creation = {
  rules: Record<string, RuleSet>
  /** The rules of `deploy`, where the panel is to choose. */
  deployRules: Record<string, RuleSet>
  /** A machine, and one of its free allocations. Throws 400 without. */
  place(call: Call): { nodeId: number; allocation: Allocation | null }
  oomDisabled(fields: Fields): boolean
}

const pterodactyl: Creation = {
  rules: {
    docker_image: SERVER_RULES.image,
    startup: SERVER_RULES.startup,
    oom_disabled: ['sometimes|boolean'],
  },
  deployRules: {
    'deploy.locations': ['present|array'],
    'deploy.locations.*': ['integer|min:1'],
    'deploy.dedicated_ip': ['required_with:deploy|boolean'],
    'deploy.port_range': ['present|array'],
    'deploy.port_range.*': ['string'],
  },
  place(call) {
    const allocation = deploy(call)
    return { nodeId: allocation.nodeId, allocation }
  },
  oomDisabled: (fields) => fields.flag('oom_disabled', true),
}

/**
 * Creates a server: fields, placement, variables, row, and then the machine, in that order. When
 * the machine does not answer the row is taken back. Of two at once with one external id or one
 * allocation the second loses: with 422 if it came late enough, else with 500.
 */
export async function createServer(call: Call, creation = pterodactyl): Promise<Reply> {
  const { fields, panel, view } = call
  checkFields(call, creation)
  await beforeInsert()
  const { data } = panel
  const { nodeId, allocation } = fields.has('deploy')
    ? creation.place(call)
    : chosen(data.allocations.get(fields.number('allocation.default')))
  const eggId = fields.number('egg')
  const variables = checkEnvironment(data, eggId, fields.record('environment'))
  const externalId = fields.textOrNull('external_id')
  const taken = 'has already been taken.'
  if (externalId !== null && externalIdTaken(panel, externalId, null)) {
    throw dataInvalid('Server', 'external_id', `The external id ${taken}`)
  }
  if (allocation && allocation.serverId !== null) {
    throw dataInvalid('Server', 'allocation_id', `The allocation id ${taken}`)
  }
  const server = data.servers.insert({
    ...valuesOf(call),
    nodeId,
    allocationId: allocation?.id ?? null,
    oomDisabled: creation.oomDisabled(fields),
    externalId,
    eggId,
    variables,
  })
  const additional = fields.numbers('allocation.additional')
  for (const id of allocation ? [allocation.id, ...additional] : []) {
    const assigned = data.allocations.find(id)
    if (assigned) assigned.serverId = server.id
  }
  const failure = daemonFailure(panel, server)
  if (failure) {
    // A panel that undoes nothing cleans up only after a machine it could not reach.
    const { daemon } = data.nodes.get(nodeId)
    if (daemon === 'down' || panel.flavour.daemon.undone) removeServer(data, server)
    throw failure
  }
  return created(view.present.server(view, server))
}

function chosen(allocation: Allocation) {
  return { nodeId: allocation.nodeId, allocation }
}

type Values = Omit<
  Server,
  'id' | 'externalId' | 'eggId' | 'variables' | 'nodeId' | 'allocationId' | 'oomDisabled'
>

function valuesOf({ fields, now, panel }: Call): Values {
  const egg = panel.data.eggs.get(fields.number('egg'))
  const skipScripts = fields.flag('skip_scripts', false)
  return {
    uuid: randomUUID(),
    name: fields.text('name'),
    description: fields.text('description'),
    status: 'installing',
    limits: limitsIn(fields),
    databaseLimit: fields.number('feature_limits.databases'),
    allocationLimit: fields.number('feature_limits.allocations'),
    backupLimit: fields.number('feature_limits.backups'),
    ownerId: fields.number('user'),
    startup: fields.textOrNull('startup') ?? Object.values(egg.startupCommands)[0] ?? '',
    image: fields.textOrNull('docker_image') ?? Object.values(egg.dockerImages)[0] ?? '',
    skipScripts,
    startOnCompletion: fields.flag('start_on_completion', false),
    installation: panel.installs.begin(panel.clock, { reinstall: false, skipScripts }),
    transferring: false,
    power: { target: 'offline', since: 0 },
    figures: null,
    createdAt: now,
    updatedAt: now,
  }
}

function limitsIn(fields: Fields): Limits {
  return {
    memory: fields.number('limits.memory'),
    swap: fields.number('limits.swap'),
    disk: fields.number('limits.disk'),
    io: fields.number('limits.io'),
    cpu: fields.number('limits.cpu'),
    threads: fields.textOrNull('limits.threads'),
  }
}

function checkFields({ fields, input, panel }: Call, { rules, deployRules }: Creation): void {
  const deployAsked = fields.has('deploy')
  const free = allocationExists(panel, ({ serverId }) => serverId === null)
  validate({
    input,
    rules: {
      external_id: externalIdRules(panel, null),
      name: SERVER_RULES.name,
      description: SERVER_RULES.description,
      user: userRules(panel),
      egg: eggRules(panel),
      environment: ['present|array'],
      skip_scripts: ['sometimes|boolean'],
      limits: ['required|array'],
      'limits.memory': SERVER_RULES.memory,
      'limits.swap': SERVER_RULES.swap,
      'limits.disk': SERVER_RULES.disk,
      'limits.io': SERVER_RULES.io,
      'limits.threads': SERVER_RULES.threads,
      'limits.cpu': SERVER_RULES.cpu,
      feature_limits: ['required|array'],
      'feature_limits.databases': SERVER_RULES.featureLimit,
      'feature_limits.allocations': SERVER_RULES.allocationLimit,
      'feature_limits.backups': SERVER_RULES.featureLimit,
      ...(deployAsked
        ? {
            deploy: ['required|array'],
            ...deployRules,
          }
        : {
            'allocation.default': ['required|bail|integer', free],
            'allocation.additional.*': ['integer', free],
          }),
      start_on_completion: ['sometimes|boolean'],
      ...rules,
    },
  })
}
