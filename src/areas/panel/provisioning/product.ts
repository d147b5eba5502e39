import { type Detail, unprocessable } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import type { EggVariable } from '../eggs/egg.ts'
import { findEgg, listEggsByIds } from '../eggs/queries.ts'
import { type Environment, missingValues, validateEnvironment } from '../eggs/rules.ts'
import { candidatesAmong } from './placements.ts'
import { listCandidates, listEggsLike, listNodesAmong } from './queries.ts'
import type { Provisioning } from './schema.ts'

/**
 * Checks whether servers can be created with these settings, as far as our database can tell. Throws 422
 * `provisioning_invalid` that names everything wrong with the egg, the connections and the values of the egg's
 * variables. Values that customers may set are requested from them later.
 */
export async function assertProvisioning(
  db: Db,
  tenantId: string,
  { eggId, nodeIds, environment }: Pick<Provisioning, 'eggId' | 'nodeIds' | 'environment'>,
): Promise<void> {
  const egg = await findEgg(db, { tenantId, id: eggId })
  if (!egg || egg.archivedAt !== null) {
    throw refusal([{ path: 'eggId', message: egg ? 'is archived' : 'does not exist' }])
  }
  const candidates = await listCandidates(db, { tenantId, eggId, nodeIds })
  const able = new Set(candidates.map(({ node }) => node.id))
  const named = nodeIds.length > 0 ? await listNodesAmong(db, tenantId, nodeIds) : []
  const known = new Set(named.map(({ id }) => id))
  const details = nodeIds.flatMap((id, index) => {
    const message = known.has(id) ? 'does not have this egg; sync its eggs' : 'does not exist'
    return able.has(id) ? [] : [{ path: `nodeIds.${index}`, message }]
  })
  if (nodeIds.length === 0 && able.size === 0) {
    details.push(NOWHERE)
  }
  details.push(...faultsOf(egg.variables, environment))
  if (details.length > 0) throw refusal(details)
}

type Sold = Pick<Provisioning, 'eggId' | 'nodeIds' | 'environment'>

/**
 * The faults that prevent servers of a product from being created, and whether a suitable connection is known to
 * work.
 */
export type Judgement = { readonly faults: Detail[]; readonly isConnected: boolean }

/**
 * The faults that prevent servers of products from being created, as far as our database can tell; one list for each
 * product, in their order, empty if there are none. Also finds faults from later changes of eggs and connections.
 */
export async function provisioningFaults(
  db: Db,
  tenantId: string,
  sold: readonly (Sold | null)[],
): Promise<Detail[][]> {
  return (await judgeProvisioning(db, tenantId, sold)).map(({ faults }) => faults)
}

/** The faults of products, in their order, and whether the last test of one of their connections succeeded. */
export async function judgeProvisioning(
  db: Db,
  tenantId: string,
  sold: readonly (Sold | null)[],
): Promise<Judgement[]> {
  const ids = new Set(sold.flatMap((it) => (it ? [it.eggId] : [])))
  const rows = ids.size > 0 ? await listEggsByIds(db, tenantId, [...ids]) : []
  const eggs = new Map(rows.map((egg) => [egg.id, egg]))
  const nodes = rows.length > 0 ? await listNodesAmong(db, tenantId, null) : []
  const onPanels = await listEggsLike(db, nodes, rows)
  // A shop sells many products with the same values of one egg, so each is checked once.
  const checked = new Map<string, Detail[]>()
  return sold.map((it) => {
    if (!it) return impossible('provisioning', 'is missing')
    const { eggId, nodeIds, environment } = it
    const egg = eggs.get(eggId)
    if (!egg) return impossible('eggId', 'does not exist')
    if (egg.archivedAt !== null) return impossible('eggId', 'is archived')
    const named = nodeIds.length > 0 ? nodeIds : egg.nodeId === null ? null : [egg.nodeId]
    const places = named === null ? nodes : nodes.filter(({ id }) => named.includes(id))
    const key = JSON.stringify([eggId, environment])
    const faults = checked.get(key) ?? faultsOf(egg.variables, environment)
    checked.set(key, faults)
    const candidates = candidatesAmong(places, onPanels, egg)
    return {
      faults: candidates.length > 0 ? faults : [NOWHERE, ...faults],
      isConnected: candidates.some(({ node }) => node.status === 'ok'),
    }
  })
}

function impossible(path: string, message: string): Judgement {
  return { faults: [{ path, message }], isConnected: false }
}

const NOWHERE: Detail = { path: 'eggId', message: 'is on no panel connection; sync its eggs' }

/** The faults of a product's values, and required values that neither it nor the customer sets. */
function faultsOf(variables: readonly EggVariable[], environment: Environment): Detail[] {
  const names = new Set(variables.map(({ env }) => env))
  const fixed = variables.filter(
    ({ env }) => Object.hasOwn(environment, env) && environment[env]?.trim(),
  )
  const unknown = Object.keys(environment).filter((env) => !names.has(env))
  const missing = missingValues(variables, environment).filter(({ editable }) => !editable)
  return [
    ...unknown.map((env) => fault(env, 'is no variable of this egg')),
    ...validateEnvironment(fixed, environment),
    ...missing.map(({ env, name }) => fault(env, `${name} is required, and has no default`)),
  ]
}

function fault(env: string, message: string): Detail {
  return { path: `environment.${env}`, message }
}

function refusal(details: Detail[]) {
  const [first] = details
  const named = details.map(({ path, message }) => ({ path: `provisioning.${path}`, message }))
  const message = `Servers cannot be made like this: ${first?.path} ${first?.message}.`
  return unprocessable(message, 'provisioning_invalid', named)
}
