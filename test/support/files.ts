import { enableCompileCache, registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import fc from 'fast-check'
import { type Outcome, runFile } from './runner.ts'

/** What came of a file, and the processor time of its own thread. */
export type Ran = { outcomes: Outcome[]; processorSeconds: number }

/**
 * A thread of the suite: runs one file after the other, those that the suite sends, so the code is
 * loaded, compiled and warm after the first. Test files that import `node:test` get `runner.ts`.
 */
const LIMIT_MS = 300_000
const ROOT = path.join(import.meta.dirname, '../..')
const RUNNER = pathToFileURL(path.join(import.meta.dirname, 'runner.ts')).href

// Of a process, only its first thread reads the variable that says where it is.
enableCompileCache()
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' ? { url: RUNNER, shortCircuit: true } : next(specifier, context),
})

// The suite says the same twice. A file alone (`node --test <file>`) tries other values each time.
fc.configureGlobal({ seed: 20_261_122 })

parentPort?.on('message', async (file: string | null) => {
  if (file === null) process.exit()
  const before = process.threadCpuUsage()
  const limitMs = file.endsWith('.long.test.ts') ? undefined : LIMIT_MS
  const load = () => import(pathToFileURL(path.join(ROOT, file)).href)
  const outcomes = await runFile(load, limitMs)
  const { user, system } = process.threadCpuUsage(before)
  parentPort?.postMessage({ outcomes, processorSeconds: (user + system) / 1e6 } satisfies Ran)
})
