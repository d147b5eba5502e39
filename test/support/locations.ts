import assert from 'node:assert/strict'
import type { Answer, Client } from './client.ts'
import type { Made, Shop } from './shop.ts'

type Body = Answer['body']

/** Adds a location that is made of these places of panels. */
export async function addLocation(
  admin: Pick<Client, 'post'>,
  name: string,
  places: readonly { nodeId: string; remoteId: string }[],
  more: object = {},
): Promise<Body> {
  const { status, body, text } = await admin.post('/v1/admin/locations', {
    ...{ name, country: 'DE', places },
    ...more,
  })
  assert.equal(status, 201, text)
  return body
}

type Offered = { memoryMb?: number; diskMb?: number; [field: string]: unknown }

/** A product with a monthly plan of 1000 cents whose servers stand in one of these locations. */
export function offerIn(
  { catalog, eggId, nodeIds }: { catalog: Shop; eggId: string; nodeIds: readonly string[] },
  locations: readonly { id: string }[],
  { memoryMb = 2048, diskMb = 1024, ...plan }: Offered = {},
): Promise<{ product: Made; plan: Made }> {
  return catalog.offer(plan, {
    provisioning: { eggId, nodeIds, limits: { memoryMb, diskMb, cpuPercent: 0 } },
    locations: locations.map(({ id }) => id),
  })
}
