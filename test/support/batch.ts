import fs from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openFile } from './batch-file.ts'

/**
 * Runs many test files one after the other in this process: the code is loaded, compiled and warm
 * after the first. Batches that run side by side take the next file from one list, so that none
 * waits while another has a queue.
 *
 * Each file is a test of the real runner, and what it declares are that test's subtests.
 */
const ROOT = path.join(import.meta.dirname, '../..')
/** A process ends after so many files, and with it whatever they left in memory. */
const FILES_OF_A_PROCESS = 40

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL?.startsWith('file:')
      ? {
          url: pathToFileURL(path.join(import.meta.dirname, 'batch-file.ts')).href,
          shortCircuit: true,
        }
      : next(specifier, context),
})

/** Runs files of the list in `folder` until none is left. */
export async function runBatch(folder: string): Promise<void> {
  for (let done = 0; done < FILES_OF_A_PROCESS; done++) {
    const file = takeNext(folder)
    if (!file) return
    await test(file, async (t) => {
      const declared = openFile(t)
      await import(pathToFileURL(path.join(ROOT, file)).href)
      for (const { name, options, run } of declared) await t.test(name, options, run)
    })
  }
}

/** Takes a file nobody else took: of those who try to rename it, one succeeds. */
function takeNext(folder: string): string | null {
  for (const name of fs.readdirSync(folder).sort()) {
    if (!name.endsWith('.next')) continue
    const taken = path.join(folder, name.replace(/next$/, 'taken'))
    try {
      fs.renameSync(path.join(folder, name), taken)
    } catch {
      continue
    }
    return fs.readFileSync(taken, 'utf8')
  }
  return null
}
