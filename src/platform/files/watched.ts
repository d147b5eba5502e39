import type { Files } from './index.ts'

/** Files that also report whether they can be stored at present. */
export type WatchedFiles = Files & {
  /** The result of the last write or check. Starts another check, for later calls, if that was long ago or failed. */
  isUsable(): boolean
}

const LOOK_MS = 300_000
const LOOK_AGAIN_MS = 2000

/**
 * Detects when files cannot be stored any more, for example on a full disk, and when they can again, and calls
 * `onChange`. A write may fail because of its own content, so a failed write is followed by a check.
 */
export function watched(files: Files, onChange: (usable: boolean) => void): WatchedFiles {
  let usable = true
  let lookedMs = performance.now()
  function ended(well: boolean): void {
    lookedMs = performance.now()
    if (well !== usable) onChange(well)
    usable = well
  }
  function look(): void {
    lookedMs = performance.now()
    files.check().then(
      () => ended(true),
      () => ended(false),
    )
  }
  return {
    ...files,
    async put(key, content) {
      try {
        const stored = await files.put(key, content)
        ended(true)
        return stored
      } catch (error) {
        look()
        throw error
      }
    },
    isUsable() {
      if (performance.now() - lookedMs > (usable ? LOOK_MS : LOOK_AGAIN_MS)) look()
      return usable
    },
  }
}
