import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { assertReport, type DumpOptions, type Report, whmcsDump } from '#test/dumps.ts'
import { importFile } from './command.ts'
import { findImport, findRunning, type ImportRow, insertImport } from './queries.ts'
import { type RunContext, runImport } from './run.ts'
import type { ImportView } from './schema.ts'
import type { ImportKey } from './staging/writer.ts'

const app = await testApp(null)
const { tenantId, deps } = app
const db = deps.database.of(tenantId)

/** Stores a file as an upload would, and answers what runs it. */
async function uploaded(content: Buffer) {
  const id = newId()
  const fileKey = `${tenantId}/imports/${id}`
  await deps.files.put(fileKey, content)
  const row = {
    ...{ tenantId, id, userId: null, fileName: 'dump.sql', fileKey, sizeBytes: content.length },
    sha256: createHash('sha256').update(content).digest(),
    ...{ dryRun: true, wantedSystem: null, createdAt: deps.clock.now() },
  }
  await transact(db, (tx) => insertImport(tx, row))
  return { tenantId, id }
}

function contextWith(signal: AbortSignal, batchRows: number): RunContext {
  return { ...deps, db, signal, batchRows, transact: (work) => transact(db, work) }
}

/** Brings a file through a dry run, and answers how it ended. */
async function imported(content: Buffer): Promise<ImportRow> {
  const key = await uploaded(content)
  await runImport(contextWith(new AbortController().signal, 5000), key)
  const ended = await findImport(db, key)
  assert.ok(ended)
  return ended
}

const dumps: DumpOptions[] = [
  { style: 'mysqldump', schema: 8, mess: true, seed: '7' },
  { style: 'phpmyadmin', schema: 7, mess: true, tax: 'inclusive', seed: '8' },
  { style: 'complete', schema: 8, mess: true, gzip: true, seed: '9' },
  { style: 'mysqldump', schema: 7, clients: 200, seed: '10' },
]

for (const options of dumps) {
  test(`every figure is told of ${JSON.stringify(options)}`, async () => {
    const { content, expected } = whmcsDump(options)
    const { status, report, fault } = await imported(content)
    assert.equal(fault, null)
    assert.equal(status, 'completed')
    assertReport(report as unknown as Report, expected)
  })
}

test('the database knows how many rows are on their way when it decides about them', async () => {
  const { content } = whmcsDump({ clients: 300, seed: '11' })
  const known = async () => {
    const { rows } = await deps.database.execute(
      `select reltuples::integer as rows from pg_class
       where oid = 'imports.staged_clients'::regclass`,
    )
    return Number(rows[0]?.rows)
  }
  const key = await uploaded(content)
  const context = contextWith(new AbortController().signal, 5000)
  const seen: number[] = []
  const transact: RunContext['transact'] = async (work) => {
    seen.push(await known())
    return context.transact(work)
  }
  await runImport({ ...context, transact }, key)
  assert.ok((seen.at(-1) ?? 0) >= 300, `${seen}`)
})

test('an import whose process stops half-way goes on where it was', async () => {
  const { content, expected } = whmcsDump({ clients: 4, mess: true, seed: 'again' })
  const key = await uploaded(content)
  const stop = new AbortController()
  const context = contextWith(stop.signal, 100)
  let batches = 0
  const transact: RunContext['transact'] = (work) => {
    // Somewhere in the middle of the rows.
    batches += 1
    if (batches === 9) stop.abort()
    return context.transact(work)
  }
  await runImport({ ...context, transact }, key)
  const half = await findImport(db, key)
  assert.equal(half?.finishedAt, null)
  assert.ok((half?.stagedTo ?? 0) > 0)
  // As long as it may still be running elsewhere, nobody else begins.
  await runImport(contextWith(new AbortController().signal, 100), key)
  assert.equal((await findImport(db, key))?.tries, 1)
  deps.clock.advance(61_000)
  await runImport(contextWith(new AbortController().signal, 100), key)
  const ended = await findImport(db, key)
  assert.equal(ended?.status, 'completed')
  assertReport(ended?.report as unknown as Report, expected)
})

/** Runs an import up to its so-many-th transaction, where its process ends; then its lease runs out. */
async function brokenOff(key: ImportKey, transactions: number): Promise<ImportRow | undefined> {
  const stop = new AbortController()
  const context = contextWith(stop.signal, 10)
  let begun = 0
  const transact: RunContext['transact'] = (work) => {
    begun += 1
    if (begun === transactions) stop.abort()
    return context.transact(work)
  }
  await runImport({ ...context, transact }, key)
  deps.clock.advance(61_000)
  return findImport(db, key)
}

test('an import that gets further each time is not given up', async () => {
  const { content, expected } = whmcsDump({ clients: 150, mess: true, seed: 'often' })
  const key = await uploaded(content)
  let staged = 0
  for (let tried = 1; tried <= 12; tried += 1) {
    const row = await brokenOff(key, 5)
    assert.equal(row?.finishedAt, null)
    assert.ok(row.stagedTo > staged, `try ${tried}`)
    staged = row.stagedTo
  }
  await runImport(contextWith(new AbortController().signal, 5000), key)
  const ended = await findImport(db, key)
  assert.equal(ended?.status, 'completed')
  assertReport(ended?.report as unknown as Report, expected)
})

test('an import that has been tried ten times in vain is given up', async () => {
  const key = await uploaded(whmcsDump({ clients: 2, seed: 'in vain' }).content)
  for (let tried = 1; tried <= 10; tried += 1) {
    assert.equal((await brokenOff(key, 2))?.finishedAt, null, `try ${tried}`)
  }
  await runImport(contextWith(new AbortController().signal, 5000), key)
  const given = await findImport(db, key)
  assert.deepEqual([given?.status, given?.fault?.code], ['failed', 'given_up'])
})

test('the command line reads a file where it is, and tells how far it is', async () => {
  const { content, expected } = whmcsDump({ clients: 3, seed: 'command' })
  const told: string[] = []
  const file = {
    ...{ tenantId, fileName: 'dump.sql', sizeBytes: content.length },
    sha256: createHash('sha256').update(content).digest(),
    content: () => Readable.from([content.subarray(0, 9000), content.subarray(9000)]),
  }
  const onProgress = ({ progress }: ImportView) => void told.push(progress.phase)
  const ended = await importFile(deps, file, { dryRun: true }, { everyMs: 1, onProgress })
  assert.equal(ended.status, 'completed')
  assert.equal(told.at(-1), 'done')
  assertReport(ended.report as unknown as Report, expected)
})

/** A file of the command line, whose process dies before its second half is read a second time. */
function localFile(content: Buffer, dies: boolean) {
  let reads = 0
  async function* pieces() {
    reads += 1
    const half = content.length / 2
    yield content.subarray(0, half)
    if (dies && reads > 1) throw new Error('died')
    yield content.subarray(half)
  }
  return {
    ...{ tenantId, fileName: 'dump.sql', sizeBytes: content.length },
    sha256: createHash('sha256').update(content).digest(),
    content: () => Readable.from(pieces()),
  }
}

test('an import of the command line that was killed goes on, and stands in no way of another', async () => {
  const { content, expected } = whmcsDump({ clients: 5, mess: true, seed: 'killed' })
  const other = whmcsDump({ clients: 3, seed: 'other' })
  const watch = { everyMs: 60_000, onProgress() {} }
  const run = (dump: Buffer, dies = false) =>
    importFile(deps, localFile(dump, dies), { dryRun: true }, watch)

  await assert.rejects(run(content, true), /died/)
  const killed = await findRunning(db, tenantId)
  assert.ok(killed)
  await assert.rejects(run(content), /less than a minute ago/)
  deps.clock.advance(61_000)
  const ended = await run(content)
  assert.deepEqual([ended.id, ended.status], [killed.id, 'completed'])
  assertReport(ended.report as unknown as Report, expected)

  await assert.rejects(run(whmcsDump({ clients: 4, seed: 'dead' }).content, true), /died/)
  const dead = await findRunning(db, tenantId)
  assert.ok(dead)
  deps.clock.advance(61_000)
  const next = await run(other.content)
  assert.equal(next.status, 'completed')
  assertReport(next.report as unknown as Report, other.expected)
  assert.equal((await findImport(db, dead))?.status, 'canceled')
})
