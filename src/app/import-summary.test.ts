import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { importFile } from '#imports'
import { testApp } from '#test/app.ts'
import { whmcsDump } from '#test/dumps.ts'
import { summaryOf } from './import-summary.ts'

const app = await testApp(null)

async function summary(content: Buffer): Promise<string> {
  const file = {
    ...{ tenantId: app.tenantId, fileName: 'shop.sql', sizeBytes: content.length },
    sha256: createHash('sha256').update(content).digest(),
    content: () => Readable.from([content]),
  }
  const watch = { everyMs: 60_000, onProgress() {} }
  return summaryOf(await importFile(app.deps, file, { dryRun: true }, watch))
}

test('a summary names what was left out and why, the money, and what is to be done', async () => {
  const told = await summary(whmcsDump({ clients: 4, mess: true, seed: 'told' }).content)
  for (const part of [
    /^shop\.sql: whmcs 8\./,
    /What would become of +read +imported +merged +skipped +failed\nusers /,
    /skipped invalid_email: 3 \(tblclients \d+, \d+, \d+\)/,
    /Money +there +taken over +left out +failed\ninvoices EUR +€[\d,.]+ +€[\d,.]+ +€[\d,.]+ +€0\.00/,
    /Look at\n[\s\S]+password_reset_required: \d+ \(tblclients /,
    /Not taken over\n +tblhostingaddons: \d+ rows, recurring \d+ cents in all/,
    /To do\n[\s\S]+ \d+ people must reset their password\./,
    /completed: All of it adds up\.\nThis was a dry run: nothing was changed\.$/,
  ]) {
    assert.match(told, part)
  }
})

test('of a file that is turned down a summary says why and where, and that nothing was changed', async () => {
  const { content } = whmcsDump({ clients: 2, seed: 'cut' })
  const told = await summary(content.subarray(0, content.length - 300))
  assert.match(told, /^rejected: .+ Line \d+, byte \d+\. \(truncated\) Nothing was changed\.$/)
})
