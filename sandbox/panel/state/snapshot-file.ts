import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import type { Panel } from '../panel.ts'
import type { Data } from './data.ts'
import type { KeptTable } from './table.ts'

type Snapshot = { offsetMs: number; tables: Record<keyof Data, KeptTable> }

/** Changes that come together are written together. */
const GATHER_MS = 50

/** A file that follows what a panel knows. */
export type SnapshotFile = {
  /** Something may have changed: the file follows a moment later. */
  changed(): void
  close(): void
}

/** Puts what an earlier run kept into a panel; a panel without a file stays as it is. */
export function restoreFrom(file: string, panel: Panel): void {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  const { offsetMs, tables }: Snapshot = deserialize(bytes)
  panel.clock.advance(offsetMs / 1000)
  const { keys: _, ...kept } = tables
  // The keys are what this run was started with.
  for (const [name, table] of Object.entries(kept)) panel.data[name as keyof Data].restore(table)
}

/** Keeps a file in step with a panel. It is replaced and not rewritten, so it is always whole. */
export function keepSnapshotFile(file: string, panel: Panel): SnapshotFile {
  let timer: NodeJS.Timeout | undefined
  let closed = false
  function save(): void {
    timer = undefined
    const tables = Object.fromEntries(
      Object.entries(panel.data).map(([name, table]) => [name, table.keep()]),
    )
    writeFileSync(`${file}.new`, serialize({ offsetMs: panel.clock.offsetMs, tables }))
    renameSync(`${file}.new`, file)
  }
  return {
    changed() {
      if (!closed) timer ??= setTimeout(save, GATHER_MS)
    },
    close() {
      if (closed) return
      closed = true
      clearTimeout(timer)
      save()
    },
  }
}
