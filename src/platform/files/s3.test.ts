import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { freePort } from '#test/processes.ts'
import { startStorage } from '#test/s3-server.ts'
import type { BucketPlace } from './bucket.ts'
import { filesInBucket } from './s3.ts'

const storage = await startStorage()
const { place, objects, uploads, seen } = storage
const options = { pauseMs: 1, timeoutMs: 5000 }
const files = filesInBucket(place, options)
const tenant = '01900000-0000-7000-8000-000000000001'
const MIB = 1024 * 1024
const PART = 8 * MIB

async function contentOf(key: string): Promise<Buffer | null> {
  const stream = await files.get(key)
  return stream && buffer(stream)
}

async function* inPieces(content: Buffer, size = 1_000_003) {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size)
}

for (const bytes of [0, 7, PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 5 * MIB]) {
  test(`${bytes} bytes go up and come down the same, with their length and hash`, async () => {
    const content = randomBytes(bytes)
    const key = `${tenant}/documents/${bytes}`
    const stored = await files.put(key, inPieces(content))
    assert.equal(stored.sizeBytes, bytes)
    assert.deepEqual(stored.sha256, createHash('sha256').update(content).digest())
    assert.deepEqual(objects.get(`shop/${key}`)?.body, content)
    assert.deepEqual(await contentOf(key), content)
    assert.equal(await files.exists(key), true)
    assert.equal(uploads.size, 0)
    assert.ok(seen.every((it) => it.bytes <= PART))
  })
}

test('a buffer is stored as it is, and replaces what was there', async () => {
  const key = `${tenant}/documents/again`
  await files.put(key, Buffer.from('before'))
  await files.put(key, randomBytes(PART + 10))
  await files.put(key, Buffer.from('after'))
  assert.equal((await contentOf(key))?.toString(), 'after')
})

test('a key that is not there is null, is not there, and can be deleted', async () => {
  const key = `${tenant}/documents/unknown`
  assert.equal(await files.get(key), null)
  assert.equal(await files.exists(key), false)
  await files.delete(key)
})

test('what was deleted is gone', async () => {
  const key = `${tenant}/documents/gone`
  await files.put(key, Buffer.from('x'))
  await files.delete(key)
  assert.equal(await files.exists(key), false)
  assert.equal(await files.get(key), null)
})

test('content that ends in a failure leaves what was there, and no upload', async () => {
  const key = `${tenant}/documents/kept`
  await files.put(key, Buffer.from('before'))
  async function* broken() {
    yield randomBytes(2 * PART + 1)
    throw new Error('the form breaks off')
  }
  await assert.rejects(files.put(key, broken()), /breaks off/)
  assert.equal((await contentOf(key))?.toString(), 'before')
  assert.equal(uploads.size, 0)
})

test('no more is taken of a stream than one part while the storage takes its time', async () => {
  let taken = 0
  async function* counted() {
    for (let piece = 0; piece < 64; piece += 1) {
      taken += MIB
      yield Buffer.alloc(MIB, piece)
    }
  }
  let release = () => {}
  const first = seen.length
  storage.hold(new Promise((resolve) => (release = resolve)))
  const stored = files.put(`${tenant}/imports/large`, counted())
  while (seen.length === first) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(taken <= PART + 2 * MIB, `${taken} bytes were taken`)
  storage.hold(null)
  release()
  assert.equal((await stored).sizeBytes, 64 * MIB)
})

test('a file is read as its reader wants it, a part at a time', async () => {
  const key = `${tenant}/imports/slow`
  await files.put(key, Buffer.alloc(5 * PART, 1))
  const first = seen.length
  const stream = await files.get(key)
  assert.ok(stream)
  let read = 0
  for await (const piece of stream) {
    read += (piece as Buffer).length
    if (read >= PART) break
  }
  assert.ok(seen.length - first <= 3, `${seen.length - first} parts were asked for`)
})

test('a file that is replaced while it is read fails, and is no mixture', async () => {
  const key = `${tenant}/imports/replaced`
  await files.put(key, Buffer.alloc(4 * PART, 1))
  const stream = await files.get(key)
  await files.put(key, Buffer.alloc(4 * PART, 2))
  assert.ok(stream)
  await assert.rejects(buffer(stream), /PreconditionFailed/)
})

for (const kind of ['busy', 'lost', 'told'] as const) {
  test(`a request that is ${kind} three times is sent until it is done`, async () => {
    const key = `${tenant}/documents/${kind}`
    storage.fault({ method: 'PUT', target: new RegExp(kind), kind, times: 3 })
    await files.put(key, Buffer.from(kind))
    assert.equal((await contentOf(key))?.toString(), kind)
  })
}

test('an upload whose last answer is lost is there, and is said to be', async () => {
  const key = `${tenant}/documents/completed`
  storage.fault({ method: 'POST', target: /completed\?uploadId/, kind: 'lost', times: 1 })
  const content = randomBytes(PART + 1)
  await files.put(key, content)
  assert.deepEqual(await contentOf(key), content)
})

test('a storage that stays away is a failure, and leaves nothing', async () => {
  const key = `${tenant}/documents/away`
  storage.fault({ method: 'PUT', target: /away/, kind: 'busy', times: 10 })
  await assert.rejects(files.put(key, Buffer.from('x')), { status: 503, code: 'SlowDown' })
  storage.fault({ method: 'PUT', target: /partly\?partNumber=2/, kind: 'busy', times: 10 })
  await assert.rejects(files.put(`${tenant}/documents/partly`, randomBytes(PART + 1)), {
    status: 503,
  })
  assert.equal(await files.exists(key), false)
  assert.equal(uploads.size, 0)
})

test('bytes that were damaged on the way are refused', async () => {
  storage.fault({ method: 'PUT', target: /damaged/, kind: 'damaged', times: 1 })
  await assert.rejects(files.put(`${tenant}/documents/damaged`, Buffer.from('x')), {
    code: 'XAmzContentSHA256Mismatch',
  })
})

test('a key that leaves its tenant or names none is refused', async () => {
  for (const key of [`${tenant}/../other`, `/${tenant}/a`, tenant, 'documents/a', `${tenant}/é`]) {
    await assert.rejects(files.put(key, Buffer.from('x')), RangeError, key)
    await assert.rejects(files.get(key), RangeError, key)
  }
})

test('a storage that answers in time or not at all', async () => {
  const impatient = filesInBucket(place, { pauseMs: 1, timeoutMs: 50 })
  let release = () => {}
  storage.hold(new Promise((resolve) => (release = resolve)))
  await assert.rejects(impatient.exists(`${tenant}/documents/7`), /took too long/)
  storage.hold(null)
  release()
})

test('a bucket in which files can be kept is fine, and nothing is left in it', async () => {
  const before = [...objects.keys()]
  await files.check()
  assert.deepEqual([...objects.keys()], before)
})

const wrong: [string, Partial<BucketPlace>, RegExp][] = [
  ['another bucket', { bucket: 'nowhere' }, /bucket "nowhere".*there is no such bucket/],
  ['an unknown key', { accessKeyId: 'AKIAOTHER' }, /AWS_ACCESS_KEY_ID is not known/],
  ['a wrong secret', { secretAccessKey: 'wrong' }, /AWS_SECRET_ACCESS_KEY does not belong/],
  ['another region', { region: 'us-east-1' }, /the region is another one/],
  [
    'nobody there',
    { endpoint: `http://127.0.0.1:${await freePort()}` },
    /gave no answer: ECONNREFUSED/,
  ],
]
for (const [what, changes, message] of wrong) {
  test(`${what} is said in a sentence when the service starts, without the secret`, async () => {
    const other = filesInBucket({ ...place, ...changes }, options)
    await assert.rejects(other.check(), (error: Error) => {
      assert.match(error.message, message)
      return !error.message.includes(place.secretAccessKey)
    })
  })
}
