import type { Files } from './index.ts'

/** Files of which is known whether they can be kept just now. */
export type WatchedFiles = Files & {
  /** As of the last write or look. Looks anew, for whoever asks next, when that was long ago or went wrong. */
  isUsable(): boolean
}

const LOOK_MS = 300_000
const LOOK_AGAIN_MS = 2000

/**
 * Notes when files cannot be kept any more, on a full disk for example, and when they can again; `onChange`
 * is told. A write that fails may have failed for what was to be written, so it is followed by a look.
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
