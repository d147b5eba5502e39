import type { FastifyRequest } from 'fastify'
import type { Db } from '#platform/database/index.ts'

type Find = (db: Db, key: { tenantId: string; id: string }) => Promise<unknown>

/** Whether the object that a route's path names exists: what a route's `exists` asks. */
export function existing(find: Find): (request: FastifyRequest) => Promise<unknown> {
  return ({ db, tenantId, params }) => {
    const [id = ''] = Object.values(params as Record<string, string>)
    return find(db, { tenantId, id })
  }
}
