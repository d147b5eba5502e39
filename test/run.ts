import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { testDatabase } from './support/database.ts'

/**
 * Runs the suite: all tests on the embedded database, or on the server that DATABASE_URL names,
 * where those that need several connections (`*.server.test.ts`) run too. `--long` runs those
 * that take minutes or load (`*.long.test.ts`). Other arguments pick files by part of their path.
 */
const root = path.join(import.meta.dirname, '..')
const CACHE = path.join(root, 'node_modules/.cache/moorage')
const wanted = process.argv.slice(2).filter((it) => !it.startsWith('--'))
const long = process.argv.includes('--long')
const onServer = Boolean(process.env.DATABASE_URL)

const files = ['src', 'sandbox', 'test', 'examples']
  .filter((folder) => fs.existsSync(path.join(root, folder)))
  .flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file)),
  )
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => file.endsWith('.long.test.ts') === long)
  .filter((file) => onServer || !file.endsWith('.server.test.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()

// Without a file the runner would look for tests itself, and find those that were left out.
if (files.length === 0) {
  console.log(wanted.length > 0 ? `No test file has ${wanted.join(' or ')}` : 'No such tests')
  process.exit(wanted.length > 0 ? 1 : 0)
}

// Prepared once here, or every file would do it at the same time.
await (await testDatabase()).drop()

const list = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-test-list-'))
const batches = long ? files.map((file) => path.join(root, file)) : batchesOf(files)

const concurrency = long ? 1 : os.availableParallelism() + 1
const runner = spawn(
  process.execPath,
  ['--test', `--test-concurrency=${concurrency}`, '--test-reporter=spec', ...batches],
  { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_COMPILE_CACHE: CACHE } },
)
runner.on('exit', (code) => {
  fs.rmSync(list, { recursive: true, force: true })
  process.exitCode = code ?? 1
})

/** Writes the list that processes take their next file from, and the entry of each process. */
function batchesOf(files: readonly string[]): string[] {
  const inTurn = files.toSorted((a, b) => weight(b) - weight(a))
  for (const [index, file] of inTurn.entries()) {
    fs.writeFileSync(path.join(list, `${String(index).padStart(4, '0')}.next`), file)
  }
  const batch = JSON.stringify(path.join(import.meta.dirname, 'support/batch.ts'))
  const processes = Math.min(files.length, Math.ceil(files.length / 30) + 1)
  return Array.from({ length: processes }, (_, index) => {
    const entry = path.join(list, `batch-${index + 1}.test.mjs`)
    const source = `import { runBatch } from ${batch}\nawait runBatch(${JSON.stringify(list)})\n`
    fs.writeFileSync(entry, source)
    return entry
  })
}

/** What starts processes of its own takes long, and comes first: nobody waits for it at the end. */
function weight(file: string): number {
  return file.startsWith('test') || file.startsWith('sandbox') ? 1 : 0
}
