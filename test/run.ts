import fs from 'node:fs'
import module from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { Batch } from './support/batch.ts'
import type { Ran } from './support/files.ts'

/**
 * Runs the suite on the embedded database, or on the server that `DATABASE_URL` names, where the tests
 * that need a server (`*.server.*`) run instead of those that start services on embedded databases of their own
 * (`*.embedded.*`). `--deep` runs those that try all that can happen to what the
 * suite tries once (`*.deep.test.ts`), `--long` those that take minutes or load (`*.long.test.ts`), and `--embedded`
 * of either those that a run on a server leaves out. Those that measure time or memory run alone (`*.quiet.*`).
 * `PART=1/3` runs every third file from the first on.
 * Other arguments pick files by part of their path, deep ones too.
 */
const root = path.join(import.meta.dirname, '..')
const CACHE = path.join(root, 'node_modules/.cache/moorage')
/** At the gate, so many files that failed run once more, alone; more than that is no accident. */
const MOST_AGAIN = process.env.CI ? 3 : 0
const FIRST = 1e9
const wanted = process.argv.slice(2).filter((it) => !it.startsWith('--'))
const long = process.argv.includes('--long')
const deep = process.argv.includes('--deep')
const embedded = process.argv.includes('--embedded')
const onServer = Boolean(process.env.DATABASE_URL)
const [part = 1, parts = 1] = process.env.PART?.split('/').map(Number) ?? []

const files = ['src', 'client', 'sandbox', 'test', 'examples']
  .filter((folder) => fs.existsSync(path.join(root, folder)))
  .flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file)),
  )
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => file.endsWith('.long.test.ts') === long)
  .filter((file) => long || file.endsWith('.deep.test.ts') === deep || (!deep && wanted.length > 0))
  .filter((file) => !file.includes(onServer ? '.embedded.' : '.server.'))
  .filter((file) => !embedded || needsEmbedded(file))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1))
  .filter((_, place) => wanted.length > 0 || place % parts === part - 1)

if (files.length === 0) {
  console.log(wanted.length > 0 ? `No test file has ${wanted.join(' or ')}` : 'No such tests')
  process.exit(wanted.length > 0 ? 1 : 0)
}

// Prepared once here, or every thread would do it at the same time: the schema, and the code compiled.
process.env.NODE_COMPILE_CACHE = CACHE
module.enableCompileCache()
const { testDatabase } = await import('./support/database.ts')
await (await testDatabase()).drop()
module.flushCompileCache()

const startMs = performance.now()
const failures: string[] = []
const again: { file: string; ran: Ran }[] = []
const unsteady: string[] = []
const counts = { passed: 0, failed: 0, skipped: 0 }
const [quiet, others] = [files.filter(isQuiet), files.filter((it) => !isQuiet(it))]
// What waits for a browser, a process or a schedule leaves the processor to others.
const threads = os.availableParallelism() * (long ? 1 : 2)
await Promise.all(Array.from({ length: threads }, () => work(others)))
await work(quiet)
await repeat()
if (unsteady.length > 0) console.log(`\n✖ failed, and passed alone:\n\n${unsteady.join('\n\n')}`)
if (failures.length > 0) console.log(`\n✖ failing tests:\n\n${failures.join('\n\n')}`)
const { passed, failed, skipped } = counts
const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`)
process.exitCode = failed > 0 ? 1 : 0

/** Whether a file measures what others running beside it would change. */
function isQuiet(file: string): boolean {
  return file.includes('.quiet.')
}

/** Whether a file starts services on embedded databases of its own, or a browser, which the gate leaves out on a server. */
function needsEmbedded(file: string): boolean {
  const text = () => fs.readFileSync(path.join(root, file), 'utf8')
  return (
    file.includes('.embedded.') ||
    /playwright-core|#test\/(?:browser|desk|screens)\.ts/.test(text())
  )
}

/**
 * Takes files from a queue and has them run in one thread, until none is left. A long one has its
 * thread to itself, so that what others left in memory is not in its figures; what follows one that
 * failed gets a new thread, for the one that failed may still be at work.
 */
async function work(queue: string[]): Promise<void> {
  while (queue.length > 0) {
    const batch = new Batch()
    let ran: Ran
    do {
      const file = queue.shift()
      if (!file) break
      ran = await batch.run(file)
      if (hasFailed(ran) && again.length < MOST_AGAIN) again.push({ file, ran })
      else report(file, ran)
    } while (!long && !batch.hasEnded && !hasFailed(ran))
    batch.end()
  }
}

/**
 * Runs files that failed once more, with nothing beside them. What passes then does not stop the
 * gate, and is told at its end: the test waits for the wrong thing, or the product does.
 */
async function repeat(): Promise<void> {
  for (const { file, ran } of again) {
    const batch = new Batch()
    const second = await batch.run(file)
    batch.end()
    if (!hasFailed(second)) unsteady.push(...failuresOf(file, ran))
    report(file, second)
  }
}

function hasFailed({ outcomes }: Ran): boolean {
  return outcomes.some(({ state }) => state === 'failed')
}

function failuresOf(file: string, { outcomes }: Ran): string[] {
  return outcomes
    .filter(({ state }) => state === 'failed')
    .map(({ name, error }) => `${file}: ${name}\n${error}`)
}

function report(file: string, ran: Ran): void {
  const { outcomes, processorSeconds } = ran
  failures.push(...failuresOf(file, ran))
  for (const { name, state, notes } of outcomes) {
    counts[state] += 1
    const said = notes.filter(Boolean).map((note) => `    ${name}: ${note}`)
    if (said.length > 0) console.log(said.join('\n'))
  }
  const sign = hasFailed(ran) ? '✖' : '✔'
  const seconds = outcomes.reduce((sum, it) => sum + it.ms, 0) / 1000
  const times = `${seconds.toFixed(1)} s, processor ${processorSeconds.toFixed(1)} s`
  console.log(`${sign} ${file}: ${outcomes.length} in ${times}`)
}

/**
 * What starts processes, or waits for another try, takes long and comes first, then what has most to
 * say: nobody waits for a long one at the end.
 */
function weight(file: string): number {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  const startsProcesses = ['test', 'sandbox', 'src/platform'].some((it) => file.startsWith(it))
  const walksPages = deep && text.includes('#test/browser.ts')
  return text.length + (startsProcesses || walksPages ? FIRST : 0)
}
