/** One request to the API and how it was answered; `body` is the answer's, as it was sent. */
export type JournalEntry = {
  id: string
  /** Seconds since 1970, by the sandbox's clock. */
  at: number
  method: string
  path: string
  /** The operation, or null for an address the API does not have. */
  route: string | null
  params: unknown
  idempotencyKey: string | null
  replayed: boolean
  fault: string | null
  /** 0 when the connection was closed without an answer. */
  status: number
  body: string
}

export type Journal = {
  write(entry: JournalEntry): void
  list(): readonly JournalEntry[]
  clear(): void
}

const MOST = 5000

/** The last 5000 requests. Card numbers in it are shortened to their last four digits. */
export function startJournal(): Journal {
  let entries: JournalEntry[] = []
  return {
    write(entry) {
      entries.push({ ...entry, params: masked(entry.params) })
      if (entries.length > MOST) entries = entries.slice(-MOST)
    },
    list: () => entries,
    clear() {
      entries = []
    },
  }
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\b\d{8,15}(\d{4})\b/g, '************$1')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, masked(it)]))
}
