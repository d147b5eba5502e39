import fs from 'node:fs'
import http from 'node:http'
import pg from 'pg'
import { parserOf } from '#platform/database/types.ts'
import type { Recorded } from './recorded.ts'

/**
 * The least that can answer the same bytes: `node:http`, a pool, the statements that the service runs for
 * the same request by name, and JSON.stringify of what it answers. Nobody is asked who they are, nothing
 * is worked out, checked, counted, or protected.
 */
const { DATABASE_URL, RECORDED = '' } = process.env
const POOL_SIZE = 10

const recorded = JSON.parse(fs.readFileSync(RECORDED, 'utf8')) as Recorded[]
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: POOL_SIZE,
  types: { getTypeParser: parserOf },
  options: '-c timezone=UTC -c datestyle=ISO',
})

const answers = new Map(
  recorded.map(({ path, statements, body }, route) => {
    const named = statements.map((it, index) => ({ ...it, name: `r${route}-${index}` }))
    return [path, { statements: named, answer: JSON.parse(body) as object }]
  }),
)

const server = http.createServer(async ({ url = '' }, response) => {
  const known = answers.get(url)
  if (!known) return void response.writeHead(404).end()
  for (const { name, text, values } of known.statements) {
    await pool.query({ name, text, values: [...values] })
  }
  const body = JSON.stringify(known.answer)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address !== 'string') {
    console.log(`Bare listens on http://127.0.0.1:${address.port}`)
  }
})
process.once('SIGINT', () => process.exit())
