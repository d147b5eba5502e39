import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '#lib/problem.ts'
import { filesInBucket } from '#platform/files/s3.ts'
import { receiveFile } from '#platform/http/upload.ts'
import { testApp } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import {
  assertReport,
  endedImport,
  formWith,
  type Report,
  uploadDump,
  whmcsDump,
} from '#test/dumps.ts'
import { person } from '#test/people.ts'
import { startStorage } from '#test/s3-server.ts'

const MIB = 1024 * 1024
const PART = 8 * MIB

const storage = await startStorage()
const app = await testApp(null, { config: { files: { bucket: storage.place } } })
const admin = await person(app, { admin: true })

test('a large dump goes through an object storage part by part, and is gone in the end', async () => {
  const { content, expected } = whmcsDump({ clients: 3, seed: 'storage' })
  const line = `SET @filler = '${'x'.repeat(1000)}';\n`
  const large = Buffer.concat([Buffer.from(line.repeat(20_000)), content])
  const { status, body, text } = await uploadDump(admin, large, { dryRun: 'true' })
  assert.equal(status, 202, text)
  const ended = await endedImport(app, admin, body.id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.fault))
  assertReport(ended.report as Report, expected)
  assert.equal(ended.file.bytes, large.length)
  assert.ok(storage.seen.some(({ target }) => target.includes('partNumber=3')))
  assert.ok(storage.seen.every(({ bytes }) => bytes <= PART))
  await app.eventually('the file to go', async () => storage.objects.size === 0)
  assert.equal(storage.uploads.size, 0)
})

const IDLE_MS = 1000
const files = filesInBucket(storage.place, { pauseMs: 1 })
const key = `${app.tenantId}/imports/slow`
const server = http.createServer((request, response) => {
  receiveFile(request, { files, key, maxBytes: 64 * MIB, idleMs: IDLE_MS }).then(
    ({ sizeBytes }) => response.end(JSON.stringify({ sizeBytes })),
    (error) => {
      response.writeHead(error instanceof Problem ? error.statusCode : 500).end()
      request.destroy()
    },
  )
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const { port } = server.address() as AddressInfo

test('a storage that is slower than the upload ends no upload', async () => {
  const { raw, headers } = formWith(Buffer.alloc(3 * PART, 'x'))
  storage.hold(pause(2 * IDLE_MS))
  const sent = clientFor(`http://127.0.0.1:${port}`).post('/', undefined, { raw, headers })
  const { status, body } = await sent
  storage.hold(null)
  assert.equal(status, 200)
  assert.equal(body.sizeBytes ?? JSON.parse(body).sizeBytes, 3 * PART)
})

test('an upload of which nothing comes any more is ended, and leaves nothing', async () => {
  const { raw, headers } = formWith(Buffer.alloc(2 * PART, 'x'))
  const status = await new Promise<number>((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, method: 'POST', headers })
    request.on('response', (response) => resolve(response.statusCode ?? 0)).on('error', reject)
    request.write(raw.subarray(0, PART + MIB))
  })
  assert.equal(status, 408)
  assert.equal(storage.uploads.size, 0)
})
