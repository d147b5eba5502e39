import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { beginningOf } from './sending.ts'

test('of a long answer the first bytes are kept', async () => {
  assert.equal(
    await beginningOf(Readable.from([Buffer.alloc(10_000, 'x')]), 4096),
    'x'.repeat(4096),
  )
})

test('a NUL, which no text in the database may hold, is replaced', async () => {
  assert.equal(await beginningOf(Readable.from([Buffer.from('a\0b')]), 100), 'a\ufffdb')
})
