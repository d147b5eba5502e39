import type { Provisioning } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { findProduct, withBuilds } from '#store'
import type { ServiceRow } from '../queries.ts'

/** What a server is built with, with the options that were chosen for it. */
export type Blueprint = {
  readonly provisioning: Provisioning
  /** The variables that options set; a customer's values do not replace them. */
  readonly variables: readonly string[]
  /** Labels of the egg that options choose; null leaves the choice to the customer and the egg. */
  readonly dockerImage: string | null
  readonly startupCommand: string | null
}

/** What a service's server is built with; undefined if its product has no servers. */
export async function blueprintOf(
  db: Db,
  { tenantId, productId, components }: Pick<ServiceRow, 'tenantId' | 'productId' | 'components'>,
): Promise<Blueprint | undefined> {
  const product = await findProduct(db, { tenantId, id: productId })
  const [made] = await withBuilds(db, tenantId, [
    { provisioning: product?.provisioning ?? null, components },
  ])
  if (!made?.provisioning) return undefined
  const { provisioning, variables = [], dockerImage = null, startup = null } = made
  return { provisioning, variables, dockerImage, startupCommand: startup }
}

type Own = Pick<ServiceRow, 'environment' | 'dockerImage' | 'startupCommand'>

/** What a customer chose for a server, except what options decide. */
export function ownChoices(service: Own, blueprint: Omit<Blueprint, 'provisioning'>): Own {
  const { environment, dockerImage, startupCommand } = service
  const own = Object.entries(environment).filter(([env]) => !blueprint.variables.includes(env))
  return {
    environment: Object.fromEntries(own),
    dockerImage: blueprint.dockerImage ?? dockerImage,
    startupCommand: blueprint.startupCommand ?? startupCommand,
  }
}
