import { setImmediate } from 'node:timers/promises'

/** How long other requests wait at most. */
const SLICE_MS = 10

/**
 * A function to await between the steps of a long computation: it lets the event loop run if the steps since
 * the last time have taken a while.
 */
export function timeSlices(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  return () => {
    if (performance.now() - sinceMs < SLICE_MS) return undefined
    return setImmediate().then(() => {
      sinceMs = performance.now()
    })
  }
}
