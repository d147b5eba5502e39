import assert from 'node:assert/strict'
import { test } from 'node:test'
import v8 from 'node:v8'
import vm from 'node:vm'
import { CASES, issued } from '#test/documents.ts'
import { printedInvoice } from './content.ts'
import { filesOf } from './render.ts'

/** 10 000 documents at a scale of 5; what is kept of them shows at any. */
const COUNT = Math.ceil(2000 * Number(process.env.SCALE ?? 1))
const LARGEST_GROWTH = 1.15

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

function used(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const brand = { brandName: 'Moorage', color: null, footer: null }

/** Every document is another one: what is remembered by content would show. */
async function make(from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    const [, wanted] = CASES[index % CASES.length] ?? []
    assert.ok(wanted)
    const number = `INV-2026-${String(index).padStart(6, '0')}`
    const { row, parts } = issued({ ...wanted, number, buyer: { ...wanted.buyer, city: number } })
    await filesOf(printedInvoice(row, parts, { paidCents: row.paidCents, ...brand }))
  }
}

test('making many documents keeps nothing of them in memory', async (t) => {
  // What is made once for all (fonts, compiled code, buffers of the library) is there after half.
  const half = Math.ceil(COUNT / 2)
  await make(0, half)
  const before = used()
  const cpu = process.cpuUsage()
  await make(half, half)
  const { user, system } = process.cpuUsage(cpu)
  const growth = used() / before
  t.diagnostic(`${COUNT} documents, ${((user + system) / 1000 / half).toFixed(1)} ms of CPU each`)
  t.diagnostic(`memory is ${growth.toFixed(3)} times what it was`)
  assert.ok(growth < LARGEST_GROWTH, `memory grew to ${growth} times what it was`)
})
