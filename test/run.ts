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

const concurrency = Math.max(2, os.availableParallelism())
const runner = spawn(
  process.execPath,
  ['--test', `--test-concurrency=${long ? 1 : concurrency}`, '--test-reporter=spec', ...files],
  { cwd: root, stdio: 'inherit' },
)
runner.on('exit', (code) => {
  process.exitCode = code ?? 1
})
