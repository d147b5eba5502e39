import { type Detail, type Problem, unprocessable } from '#lib/problem.ts'
import {
  type EggRow,
  environmentFor,
  findEgg,
  listEggsByIds,
  type Provisioning,
  refusedValues,
  validateEnvironment,
} from '#panel'
import type { Db } from '#platform/database/index.ts'
import { findProduct } from '../products/queries.ts'

type Environment = Readonly<Record<string, string>>

/** An item of a cart or a quote, with what its server is made of. */
type Configured = {
  readonly id: string
  readonly provisioning: Provisioning | null
  readonly environment: Environment
}

/**
 * The values of planned servers that a panel would refuse, and those that are missing, by the id of the item;
 * items without a fault are left out. The paths are those of the values: `environment.MOTD`.
 */
export async function environmentFaults(
  db: Db,
  tenantId: string,
  things: readonly Configured[],
): Promise<ReadonlyMap<string, readonly Detail[]>> {
  const eggIds = new Set(things.flatMap(({ provisioning }) => provisioning?.eggId ?? []))
  if (eggIds.size === 0) return new Map()
  const eggs = new Map((await listEggsByIds(db, tenantId, [...eggIds])).map((it) => [it.id, it]))
  return new Map(
    things.flatMap(({ id, provisioning, environment }) => {
      const egg = provisioning && eggs.get(provisioning.eggId)
      // An egg that no longer exists is on no panel, so there is no room for its servers.
      const faults = egg ? valueFaults(egg, provisioning, environment) : []
      return faults.length > 0 ? [[id, faults] as const] : []
    }),
  )
}

/** Throws 422 `environment_invalid` for values that the game refuses, or that the buyer may not set. */
export async function assertEnvironment(
  db: Db,
  { tenantId, productId }: { readonly tenantId: string; readonly productId: string },
  environment: Environment = {},
): Promise<void> {
  if (Object.keys(environment).length === 0) return
  const product = await findProduct(db, { tenantId, id: productId })
  const eggId = product?.provisioning?.eggId
  const egg = eggId ? await findEgg(db, { tenantId, id: eggId }) : undefined
  if (!egg) return
  const given = egg.variables.filter(({ env }) => Object.hasOwn(environment, env))
  const details = [
    ...refusedValues(egg.variables, environment, product?.provisioning?.choices?.lockedVariables),
    ...validateEnvironment(given, environment),
  ]
  if (details.length > 0) throw environmentInvalid(details)
}

/** The refusal of an environment: its message is that of the first fault. */
export function environmentInvalid(details: Detail[]): Problem {
  const [first] = details
  const sentence = first?.fault?.name ? first.message : `${first?.path}: ${first?.message}`
  return unprocessable(sentence, 'environment_invalid', details)
}

function valueFaults(
  { variables }: EggRow,
  { environment: plan, choices }: Provisioning,
  customer: Environment,
): Detail[] {
  const values = environmentFor({ variables }, { plan, customer })
  const refused = refusedValues(variables, customer, choices?.lockedVariables)
  return [...refused, ...validateEnvironment(variables, values)]
}
