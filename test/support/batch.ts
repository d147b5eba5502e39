import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runFile } from './runner.ts'

/**
 * A process of the suite: runs one file after the other, those that the suite sends, so the code is
 * loaded, compiled and warm after the first. Test files that import `node:test` get `runner.ts`.
 */
const ROOT = path.join(import.meta.dirname, '../..')
const RUNNER = pathToFileURL(path.join(import.meta.dirname, 'runner.ts')).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' ? { url: RUNNER, shortCircuit: true } : next(specifier, context),
})

process.on('message', async (file: string) => {
  const outcomes = await runFile(() => import(pathToFileURL(path.join(ROOT, file)).href))
  process.send?.(outcomes)
})
process.on('disconnect', () => process.exit())
