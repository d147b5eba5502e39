import { createServer } from 'node:http'
import pg from 'pg'
import { parserOf } from '#platform/database/types.ts'
import type { Statement } from './statements.ts'

/**
 * The least that can answer the list of services: `node:http`, `pg`, one named statement, and the
 * JSON. No sign-in, no limits, no log. What the service is measured against.
 */
const { DATABASE_URL = '', STATEMENT = '', PORT = '0' } = process.env
const { text, values }: Statement = JSON.parse(STATEMENT)
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 10,
  types: { getTypeParser: parserOf },
  options: '-c timezone=UTC -c datestyle=ISO -c moorage.tenant=*',
})
const query = { name: 'services', text, values }

createServer((_request, response) => {
  pool.query(query).then(
    ({ rows }) => {
      const body = JSON.stringify({ data: rows.map(viewOf), nextCursor: null })
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    },
    (error) => response.writeHead(500).end(String(error)),
  )
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Bare handler listens on ${PORT}`))

// biome-ignore lint/suspicious/noExplicitAny: rows as the driver gives them
function viewOf(row: any): object {
  return {
    id: row.id,
    name: row.name,
    status: row.activated_at ? 'active' : 'pending',
    product: { id: row.product_id, slug: row.product_slug, name: row.product_name },
    plan: {
      id: row.plan_id,
      name: row.plan_name,
      interval: row.interval,
      intervalCount: row.interval_count,
      priceCents: row.price_cents,
      currency: row.currency,
    },
    currentPeriodStart: row.current_period_start,
    currentPeriodEnd: row.current_period_end,
    autoRenew: row.auto_renew,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    scheduledChange: row.scheduled_product_id,
    managed: row.node_id !== null,
    panel: {
      serverId: row.server_id,
      identifier: row.identifier,
      address: row.address,
      url: `${row.node_url}/server/${row.identifier}`,
    },
    role: row.role,
    permissions: row.permissions,
    failure: row.failure_code,
    currency: row.currency,
    createdAt: row.created_at,
    activatedAt: row.activated_at,
    suspendedAt: row.suspended_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
  }
}
