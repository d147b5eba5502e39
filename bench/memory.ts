import fs from 'node:fs'
import http from 'node:http'
import type { Sent } from './pages.ts'

/** The least that can send the same bytes: `node:http`, each answer whole in memory with its headers. */
const { RECORDED = '' } = process.env

const recorded = JSON.parse(fs.readFileSync(RECORDED, 'utf8')) as Sent[]
const answers = new Map(
  recorded.map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body, 'base64') }]),
)

const server = http.createServer(({ url = '' }, response) => {
  const known = answers.get(url)
  if (!known) return void response.writeHead(404).end()
  response.writeHead(200, known.headers)
  response.end(known.body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address !== 'string') {
    console.log(`Memory listens on http://127.0.0.1:${address.port}`)
  }
})
process.once('SIGINT', () => process.exit())
