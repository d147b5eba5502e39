import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { filesIn } from './folder.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-files-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const files = filesIn(path.join(folder, 'made', 'on', 'demand'))
const tenant = '01900000-0000-7000-8000-000000000001'

async function contentOf(key: string): Promise<string | null> {
  const stream = await files.get(key)
  return stream && (await buffer(stream)).toString()
}

function everything(): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => it.name)
}

test('what is stored is read back, with its length and hash', async () => {
  const key = `${tenant}/documents/one.pdf`
  const stored = await files.put(key, Buffer.from('content'))
  assert.equal(stored.sizeBytes, 7)
  assert.deepEqual(stored.sha256, createHash('sha256').update('content').digest())
  assert.equal(await contentOf(key), 'content')
  assert.equal(await files.exists(key), true)
})

test('a stream is stored piece by piece', async () => {
  async function* pieces() {
    yield Buffer.from('a')
    yield Buffer.from('bc')
  }
  const key = `${tenant}/documents/stream`
  const stored = await files.put(key, pieces())
  assert.equal(stored.sizeBytes, 3)
  assert.deepEqual(stored.sha256, createHash('sha256').update('abc').digest())
  assert.equal(await contentOf(key), 'abc')
})

test('content that ends in a failure leaves what was there, and nothing beside it', async () => {
  const key = `${tenant}/documents/kept`
  await files.put(key, Buffer.from('before'))
  const before = everything()
  async function* full() {
    yield Buffer.from('half')
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  await assert.rejects(files.put(key, full()), { code: 'ENOSPC' })
  assert.equal(await contentOf(key), 'before')
  assert.deepEqual(everything(), before)
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
})

test('a key that leaves its tenant or names none is refused', async () => {
  const wrong = [
    ...[`${tenant}/../other`, `${tenant}/./x`, `${tenant}/a//b`, `/${tenant}/a`, tenant],
    ...['documents/a', `${tenant}/a\0b`, `${tenant}/.hidden`, `${tenant}/a\\b`, `${tenant}/é`],
    `${tenant}/${'a'.repeat(300)}`,
  ]
  for (const key of wrong) {
    await assert.rejects(files.put(key, Buffer.from('x')), RangeError, key)
    await assert.rejects(files.get(key), RangeError, key)
  }
})

test('only the owner of the process may read the files', async () => {
  const key = `${tenant}/documents/private`
  await files.put(key, Buffer.from('x'))
  const { mode } = fs.statSync(path.join(folder, 'made', 'on', 'demand', key))
  assert.equal(mode & 0o077, 0)
})
