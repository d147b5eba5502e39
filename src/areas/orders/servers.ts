import { type Detail, unprocessable } from '#lib/problem.ts'
import {
  assertCapacity,
  type EggRow,
  environmentFor,
  findEgg,
  type Provisioning,
  refusedValues,
  validateEnvironment,
} from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { type CartServer, listCartServers } from '#store'

/**
 * Whether the servers in a cart can be made, as far as that can be known before they are paid for.
 * Throws 422 `environment_invalid` with what is wrong in the values of each item, and `no_capacity`
 * when the panels have no room. Asks the panels: not in a transaction.
 */
export async function assertServersPossible(deps: Deps, db: Db, user: UserKey): Promise<void> {
  const items = await listCartServers(db, user)
  await assertValues(db, user.tenantId, items)
  const { tenantId } = user
  for (const [, same] of Map.groupBy(items, ({ productId }) => productId)) {
    const provisioning = same[0]?.provisioning
    if (!provisioning) continue
    const count = same.reduce((sum, { quantity }) => sum + quantity, 0)
    await assertCapacity(deps, db, { tenantId, provisioning, count })
  }
}

async function assertValues(db: Db, tenantId: string, items: readonly CartServer[]) {
  const details: Detail[] = []
  for (const [index, { provisioning, environment }] of items.entries()) {
    if (!provisioning) continue
    const egg = await findEgg(db, { tenantId, id: provisioning.eggId })
    // An egg that is gone is on no panel, where there is no room for it.
    if (!egg) continue
    for (const { path, message } of valueFaults(egg, provisioning, environment)) {
      details.push({ path: `items.${index}.${path}`, message })
    }
  }
  const [first] = details
  if (!first) return
  throw unprocessable(`${first.path}: ${first.message}`, 'environment_invalid', details)
}

/** What a panel would refuse of the values a server is to be made with. */
function valueFaults(
  { variables }: EggRow,
  { environment: plan }: Provisioning,
  customer: Record<string, string>,
): Detail[] {
  const values = environmentFor({ variables }, { plan, customer })
  return [...refusedValues(variables, customer), ...validateEnvironment(variables, values)]
}
