import http from 'node:http'
import pg from 'pg'

/**
 * The limit of one process: `node:http`, and one named statement that reads the whole answer to a request by
 * its primary key. Nothing is put together, and the answer is sent as it is stored.
 */
const { DATABASE_URL } = process.env
const POOL_SIZE = 10

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: POOL_SIZE })
const statement = { name: 'answer', text: 'select body from bench_answers where path = $1' }

const server = http.createServer(async ({ url = '' }, response) => {
  const { rows } = await pool.query<{ body: string }>({ ...statement, values: [url] })
  const body = rows[0]?.body
  if (body === undefined) return void response.writeHead(404).end()
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address !== 'string') {
    console.log(`Stored listens on http://127.0.0.1:${address.port}`)
  }
})
process.once('SIGINT', () => process.exit())
