import os from 'node:os'
import { CASES, issued } from '#test/documents.ts'
import { printedInvoice } from '../src/areas/billing/documents/content.ts'
import { filesOf } from '../src/areas/billing/documents/render.ts'

/**
 * Measures what the documents of an invoice cost: PDF/A-3 with its Factur-X inside, and UBL. CPU time
 * of this process, so other work on the machine counts little; memory once the garbage is gone.
 * `node --expose-gc bench/documents.ts [count]`
 */
const count = Number(process.argv[2] ?? 1000)
const STEPS = 10
const WARM_UP = 50

const brand = { brandName: 'Moorage', color: '#0f766e', footer: 'Legal footer' }
const documents = CASES.map(([, wanted]) => {
  const { row, parts } = issued(wanted)
  return printedInvoice(row, parts, { paidCents: row.paidCents, ...brand })
})

async function make(times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < times; index += 1) {
    const document = documents[index % documents.length]
    if (document) await filesOf(document)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function megabytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return Math.round((heapUsed + external) / 1e5) / 10
}

console.log(`${process.version}, ${os.cpus()[0]?.model ?? 'unknown'}`)
console.log(`the first: ${Math.round(await make(1))} ms of CPU`)
await make(WARM_UP)
console.log(`at the start: ${megabytes()} MB`)
let totalMs = 0
for (let step = 1; step <= STEPS; step += 1) {
  totalMs += await make(Math.ceil(count / STEPS))
  console.log(`after ${Math.ceil(count / STEPS) * step}: ${megabytes()} MB`)
}
const each = totalMs / (Math.ceil(count / STEPS) * STEPS)
console.log(`each: ${each.toFixed(1)} ms of CPU`)
