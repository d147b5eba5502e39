import { refused } from '../../http/errors.ts'
import { type Call, ok, type Reply } from '../../http/router.ts'
import { checkEnvironment } from '../../rules/environment.ts'
import { type RuleSet, validate } from '../../rules/validate.ts'
import { allocationsOf } from '../../state/data.ts'
import type { Allocation, Server } from '../../state/rows.ts'
import { allocationExists, eggRules, externalIdRules, SERVER_RULES, userRules } from './fields.ts'

/** Changes name, owner, external id and description; the last two are emptied when left out. */
export function updateDetails(call: Call, server: Server): Reply {
  const { fields, input, panel } = call
  validate({
    input,
    rules: {
      external_id: externalIdRules(panel, server.id),
      name: SERVER_RULES.name,
      user: userRules(panel),
      description: SERVER_RULES.description,
    },
  })
  server.externalId = fields.textOrNull('external_id')
  server.name = fields.text('name')
  server.ownerId = fields.number('user')
  server.description = fields.text('description')
  server.updatedAt = call.now
  return ok(call.view.present.server(call.view, server))
}

/**
 * Changes limits and allocations, without a look at what the node has left. The machine is told,
 * but its silence changes nothing.
 */
export function updateBuild(call: Call, server: Server): Reply {
  return changeBuild(call, server, {
    rules: {
      allocation: ['required|bail|integer'],
      oom_disabled: ['sometimes|boolean'],
      ...limitRules(true),
    },
    oomDisabled: call.fields.flag('oom_disabled', server.oomDisabled),
  })
}

/** What panels differ in when a build changes. */
type Build = { rules: Record<string, RuleSet>; oomDisabled: boolean }

export function changeBuild(call: Call, server: Server, { rules, oomDisabled }: Build): Reply {
  const { fields } = call
  checkBuild(call, server, rules)
  const nested = fields.has('limits')
  moveAllocations(call, server)
  const at = (limit: string) => fields.number(nested ? `limits.${limit}` : limit)
  const threads = nested ? 'limits.threads' : 'threads'
  server.limits = {
    memory: at('memory'),
    swap: at('swap'),
    disk: at('disk'),
    io: at('io'),
    cpu: at('cpu'),
    threads: fields.has(threads) ? fields.textOrNull(threads) : server.limits.threads,
  }
  server.oomDisabled = oomDisabled
  server.databaseLimit = fields.numberOrNull('feature_limits.databases')
  server.allocationLimit = fields.numberOrNull('feature_limits.allocations')
  server.backupLimit = fields.number('feature_limits.backups')
  server.updatedAt = call.now
  return ok(call.view.present.server(call.view, server))
}

function checkBuild(
  { input, panel }: Call,
  server: Server,
  { allocation = [], ...own }: Record<string, RuleSet>,
): void {
  const isOthers = (value: unknown) =>
    !!panel.data.servers.first((it) => it.id !== server.id && it.allocationId === Number(value))
  const rules: Record<string, RuleSet> = {
    allocation: [
      ...allocation,
      { name: 'unique', passes: (value) => !isOthers(value) },
      allocationExists(panel, () => true),
    ],
    limits: ['sometimes|array'],
    add_allocations: ['bail|array'],
    'add_allocations.*': ['integer'],
    remove_allocations: ['bail|array'],
    'remove_allocations.*': ['integer'],
    feature_limits: ['required|array'],
    'feature_limits.databases': SERVER_RULES.featureLimit,
    'feature_limits.allocations': SERVER_RULES.allocationLimit,
    'feature_limits.backups': SERVER_RULES.featureLimit,
    'limits.threads': SERVER_RULES.threads,
    threads: SERVER_RULES.threads,
    ...own,
  }
  validate({ input, rules })
}

/** The limits of a build, inside `limits` or, as an older form has it, beside it. */
export function limitRules(olderForm: boolean): Record<string, RuleSet> {
  const limits = ['memory', 'swap', 'io', 'cpu', 'disk'] as const
  const rules = limits.flatMap((limit): [string, RuleSet][] => {
    const kept = SERVER_RULES[limit].map((rule) => rule.replace('required|', ''))
    const inside: [string, RuleSet] = [`limits.${limit}`, ['required_with:limits', ...kept]]
    return olderForm ? [inside, [limit, ['required_without:limits', ...kept]]] : [inside]
  })
  return Object.fromEntries(rules)
}

/** Adds and removes allocations, all or nothing; what is not free, or elsewhere, is skipped. */
function moveAllocations({ fields, panel: { data } }: Call, server: Server): void {
  const isAddable = (it: Allocation | undefined) =>
    it !== undefined && it.nodeId === server.nodeId && it.serverId === null
  const added = fields
    .numbers('add_allocations')
    .filter((id) => isAddable(data.allocations.find(id)))
    .sort((a, b) => a - b)
  const removed = fields.numbers('remove_allocations')
  let primary = fields.numberOrNull('allocation') ?? server.allocationId ?? 0
  if (removed.includes(primary)) {
    const [fallback] = added
    if (fallback === undefined) {
      throw refused(
        'You are attempting to delete the default allocation for this server but there is no fallback allocation to use.',
      )
    }
    primary = fallback
  }
  const own = new Set(allocationsOf(data, server.id).map(({ id }) => id))
  const leaving = removed.filter((id) => own.has(id) && !added.includes(id))
  const staysOwn = (own.has(primary) && !leaving.includes(primary)) || added.includes(primary)
  if (primary !== (server.allocationId ?? 0) && !staysOwn) {
    throw refused('The requested default allocation is not currently assigned to this server.')
  }
  for (const id of added) data.allocations.get(id).serverId = server.id
  for (const id of leaving) data.allocations.get(id).serverId = null
  server.allocationId = primary || null
}

/** Changes what the server runs. Every variable left out of an environment is emptied. */
export function updateStartup(call: Call, server: Server): Reply {
  const { fields, input, panel } = call
  const { startup, image } = panel.flavour.serverRules
  validate({
    input,
    rules: {
      startup,
      environment: ['present|array'],
      egg: eggRules(panel),
      image,
      skip_scripts: ['present|boolean'],
    },
  })
  const eggId = fields.number('egg')
  const environment = fields.record('environment')
  if (Object.keys(environment).length > 0) {
    const values = checkEnvironment(panel.data, eggId, environment)
    server.variables = new Map([...server.variables, ...values])
  }
  server.eggId = eggId
  server.startup = fields.textOrNull('startup') ?? server.startup
  server.image = fields.textOrNull('image') ?? server.image
  server.skipScripts = fields.flag('skip_scripts', false)
  server.updatedAt = call.now
  return ok(call.view.present.server(call.view, server))
}
