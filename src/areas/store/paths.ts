import type { FastifyRequest } from 'fastify'
import type { Db } from '#platform/database/index.ts'

type Find = (db: Db, key: { tenantId: string; id: string }) => Promise<unknown>

/** Makes the `exists` of a route: whether the object that its path names exists. */
export function existing(find: Find): (request: FastifyRequest) => Promise<unknown> {
  return ({ db, tenantId, params }) => {
    const [id = ''] = Object.values(params as Record<string, string>)
    return find(db, { tenantId, id })
  }
}
