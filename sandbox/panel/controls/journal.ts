import type { Arrival } from '../http/gate.ts'
import { isRecord } from '../http/input.ts'

/** One request, with the names in its body. Its status is null when it was never answered. */
export type Entry = {
  number: number
  at: string
  method: string
  path: string
  query: string
  status: number | null
  bodyKeys: string[]
  fault: string | null
}

const KEPT = 10_000

/** The last requests, oldest first. */
export class Journal {
  #entries: Entry[] = []
  #count = 0

  begin({ method, url, body }: Arrival, now: number, fault: string | null): Entry {
    this.#count += 1
    const entry: Entry = {
      number: this.#count,
      at: new Date(now).toISOString(),
      method,
      path: url.pathname,
      query: url.search.slice(1),
      status: null,
      bodyKeys: keysOf(body),
      fault,
    }
    this.#entries.push(entry)
    if (this.#entries.length > 2 * KEPT) this.#entries = this.#entries.slice(-KEPT)
    return entry
  }

  get entries(): readonly Entry[] {
    return this.#entries.slice(-KEPT)
  }

  reset(): void {
    this.#entries = []
    this.#count = 0
  }
}

function keysOf(body: string): string[] {
  try {
    const parsed: unknown = JSON.parse(body)
    return isRecord(parsed) ? Object.keys(parsed) : []
  } catch {
    return []
  }
}
