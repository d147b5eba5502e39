import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { commitBefore, runBefore } from '#test/previous-version.ts'
import { postgresPrograms, privatePostgres } from '#test/private-servers.ts'

const SCALE = Number(process.env.SCALE ?? 1)
/** What money and servers go through, and at full scale everything. */
const FEW = ['src/areas/orders/', 'src/areas/services/renewals/', 'src/areas/billing/invoices/']
const PARTS = process.env.PREVIOUS_PARTS?.split(' ') ?? (SCALE < 1 ? FEW : ['src/', 'test/'])

const found = commitBefore(process.env.PREVIOUS_VERSION)
const programs = postgresPrograms()
const skip =
  'missing' in found ? found.missing : programs === null && 'PostgreSQL is not installed here'

test('the version before passes its tests on the database of this one (hardening 52)', {
  skip,
}, async (t) => {
  assert.ok(programs && 'commit' in found)
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-previous-'))
  t.after(() => fs.rmSync(place, { recursive: true, force: true }))
  const { url } = await privatePostgres(programs)
  const { commit } = found
  const of = { folder: path.join(place, 'sources'), url, parts: PARTS }
  const { passed, files, printed } = await runBefore(commit, of)
  const [summary] = printed.trim().split('\n').slice(-1)
  t.diagnostic(`${files} files of ${commit.slice(0, 10)}: ${summary}`)
  assert.ok(files > 0, `no test file has one of ${PARTS}`)
  assert.ok(passed, printed)
})
