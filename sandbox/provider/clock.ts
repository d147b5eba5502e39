/** The sandbox's own time: real time plus an offset, or standing still. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Whole seconds since 1970, as the API writes times. */
  seconds(): number
  advance(ms: number): void
  freeze(frozen: boolean): void
  save(): ClockState
  load(state: ClockState): void
}

/** `frozenAt` is a moment of the sandbox's time. */
export type ClockState = { offsetMs: number; frozenAt: number | null }

export function startClock(): Clock {
  let offsetMs = 0
  let frozenAt: number | null = null
  const now = () => frozenAt ?? Date.now() + offsetMs
  return {
    now,
    seconds: () => Math.floor(now() / 1000),
    advance(ms) {
      if (frozenAt === null) offsetMs += ms
      else frozenAt += ms
    },
    freeze(frozen) {
      if (frozen) frozenAt ??= now()
      else if (frozenAt !== null) {
        offsetMs = frozenAt - Date.now()
        frozenAt = null
      }
    },
    save: () => ({ offsetMs, frozenAt }),
    load(state) {
      offsetMs = state.offsetMs
      frozenAt = state.frozenAt
    },
  }
}
