import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { loadSnapshot, type Snapshot, storeSnapshot } from './controls.ts'
import type { Keys, Sandbox } from './sandbox.ts'

type Saved = { keys: Keys; snapshot: Snapshot }

export type SnapshotFile = {
  /** Something changed: the file follows a moment later. */
  changed(): void
  /** Writes what has changed since the last time. */
  close(): Promise<void>
}

/** Changes that come together are written together. */
const GATHER_MS = 50

/** The keys and state of an earlier run; undefined without a file. Throws for a broken one. */
export function readSnapshotFile(file: string): Saved | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Keeps a file in step with the sandbox. A crash loses at most the last moment; the file itself is
 * always whole, as it is replaced and not rewritten.
 */
export function keepSnapshotFile(sandbox: Sandbox, file: string): SnapshotFile {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function save(): Promise<void> {
    const saved: Saved = { keys: sandbox.keys, snapshot: storeSnapshot({ sandbox }) }
    await writeFile(`${file}.new`, JSON.stringify(saved), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  function write(): void {
    timer = undefined
    // A write that failed must not keep later ones from being tried.
    writing = writing
      .then(save)
      .catch((error: unknown) => console.error('The snapshot could not be written:', error))
  }

  return {
    changed() {
      timer ??= setTimeout(write, GATHER_MS)
    },
    async close() {
      clearTimeout(timer)
      write()
      await writing
    },
  }
}

/** Puts an earlier run's state into a new sandbox. */
export function loadSaved(sandbox: Sandbox, { snapshot }: Saved): void {
  loadSnapshot({ sandbox }, snapshot)
}
