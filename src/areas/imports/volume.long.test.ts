import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { assertReport, type DumpOptions, type Report, whmcsDumpFile } from '#test/dumps.ts'
import { importFile } from './command.ts'

/** `SCALE=0.1` takes dumps of up to a tenth. */
const SCALE = Number(process.env.SCALE ?? 1)
const [FEWEST, MOST] = [200, Math.max(400, 50_000 * SCALE)]

const ways = (['mysqldump', 'phpmyadmin', 'complete'] as const).flatMap((style) =>
  ([7, 8] as const).flatMap((schema) =>
    (['exclusive', 'inclusive'] as const).map((tax) => ({ style, schema, tax })),
  ),
)
// Every other one with what is odd but legal, every third one packed.
const dumps = ways.map((way, index): DumpOptions => {
  const clients = Math.round(FEWEST * (MOST / FEWEST) ** (index / (ways.length - 1)))
  return { ...way, clients, seed: `${clients}`, mess: index % 2 === 1, gzip: index % 3 === 2 }
})

const app = await testApp(null)
const { tenantId, deps } = app

for (const options of dumps) {
  test(`every figure is told of ${JSON.stringify(options)} (hardening 53)`, async (t) => {
    const { file, expected, remove } = whmcsDumpFile(options)
    t.after(remove)
    const sizeBytes = fs.statSync(file).size
    const dump = {
      ...{ tenantId, fileName: 'dump.sql', sizeBytes, content: () => fs.createReadStream(file) },
      sha256: createHash('sha256').update(JSON.stringify(options)).digest(),
    }
    const startMs = performance.now()
    const watch = { everyMs: 1000, onProgress: () => {} }
    const { status, fault, report } = await importFile(deps, dump, { dryRun: true }, watch)
    t.diagnostic(`${sizeBytes} bytes in ${Math.round(performance.now() - startMs)} ms`)
    assert.equal(status, 'completed', JSON.stringify(fault))
    assertReport(report as unknown as Report, expected)
  })
}
