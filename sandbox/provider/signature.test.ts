import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { signatureOf } from './signature.ts'

type Vector = { name: string; header: string; payload: string; secrets: string[]; accept: boolean }

const FILE = new URL('data/signature-vectors.json', import.meta.url)
const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(FILE, 'utf8'))

for (const { name, header, payload, secrets } of vectors.filter((it) => it.accept)) {
  test(`a body is signed as the vector "${name}" has it`, () => {
    const seconds = Number(/t=(\d+)/.exec(header)?.[1])
    const [, digest = ''] = signatureOf(payload, secrets[0] ?? '', seconds).split(',')
    assert.ok(header.split(',').includes(digest))
  })
}
