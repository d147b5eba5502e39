import type { PowerState, Server } from './rows.ts'

/** How long a server starts or stops, in milliseconds of the panel's clock. */
const TRANSITION_MS = 500

/** Whether a server runs, and for how long, in milliseconds. */
export function powerOf({ power }: Server, now: number): { state: PowerState; uptimeMs: number } {
  const passed = now - power.since
  if (power.target === 'offline') {
    return { state: passed < TRANSITION_MS ? 'stopping' : 'offline', uptimeMs: 0 }
  }
  if (passed < TRANSITION_MS) return { state: 'starting', uptimeMs: passed }
  return { state: 'running', uptimeMs: passed }
}

export type Signal = 'start' | 'stop' | 'restart' | 'kill'

/** Sends a signal to a server, as its daemon would take it. */
export function sendSignal(server: Server, signal: Signal, now: number): void {
  const { state } = powerOf(server, now)
  if (signal === 'kill') server.power = { target: 'offline', since: 0 }
  if (signal === 'stop' && state !== 'offline') server.power = { target: 'offline', since: now }
  if (signal === 'start' && state === 'offline') server.power = { target: 'running', since: now }
  if (signal === 'restart') server.power = { target: 'running', since: now }
}
