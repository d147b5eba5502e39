import { Readable } from 'node:stream'
import type { Caller } from '#lib/caller.ts'
import type { Instant } from '#lib/time.ts'
import { type EndReason, HEARTBEAT, MOST_WAITING_BYTES, textOf } from './rules.ts'

type Told = { id: string | null; text: string }

/** One open stream: its reader, their position, and what waits to be sent. */
export class Subscriber {
  readonly tenantId: string
  readonly userId: string
  readonly credential: Pick<Caller, 'via' | 'credentialId'>
  /** When the credential expires. */
  readonly until: Instant | null
  /** Staff of the shop: they keep access while it is suspended. */
  readonly isStaff: boolean
  readonly body: Readable
  /** The last notification that was sent, or the one up to which everything counts as sent. */
  cursor: string | null
  /** What arrives while missed notifications are being read; null once those are sent. */
  #early: Told[] | null = []
  #seen: ReadonlySet<string> = new Set()
  #waitedBefore = false
  #ended = false

  constructor(caller: Caller, cursor: string | null) {
    this.tenantId = caller.tenantId
    this.userId = caller.userId
    this.credential = caller
    this.isStaff = caller.permissions.size > 0
    this.until = caller.until ?? null
    this.cursor = cursor
    this.body = new Readable({ read() {} })
  }

  /** Sends a notification, unless it was sent while catching up. */
  tell(id: string, text: string): void {
    this.#add({ id, text })
  }

  /** Sends the number of unread notifications. */
  count(unread: number): void {
    this.#add({ id: null, text: textOf({ event: 'unread', data: { count: unread } }) })
  }

  /** Sends an event that is not stored. */
  signal(text: string): void {
    this.#add({ id: null, text })
  }

  /** From now on new events wait until `caughtUp`. */
  fallBehind(): void {
    this.#early ??= []
  }

  /** Writes what was missed, then what arrived meanwhile. `ids` are those of the missed notifications. */
  caughtUp(text: string, { ids, cursor }: { ids: readonly string[]; cursor: string }): void {
    const early = this.#early ?? []
    this.#early = null
    this.#seen = new Set(ids)
    this.cursor = cursor
    this.#write(text)
    for (const it of early) this.#add(it)
  }

  /** Forgets the ids sent while catching up: messages about them have all arrived by now. */
  forgetSeen(): void {
    if (!this.#early && this.#seen.size > 0) this.#seen = new Set()
  }

  /** Sends a sign of life; ends the stream if its reader has not read what was waiting at the previous one. */
  beat(): void {
    const waits = this.body.readableLength > 0
    if (waits && this.#waitedBefore) this.cut()
    this.#waitedBefore = waits
    this.#write(HEARTBEAT)
  }

  /** Ends the stream after what was written, with the reason; nothing is written after that. */
  end(reason: EndReason): void {
    this.#write(textOf({ event: 'end', data: { reason } }))
    if (!this.#ended && !this.body.destroyed) this.body.push(null)
    this.#ended = true
  }

  /** Ends the stream at once, and drops what waits to be sent. */
  cut(): void {
    this.body.destroy()
  }

  #add(told: Told): void {
    if (this.#early) {
      if (this.#early.push(told) > MOST_WAITING_BYTES / 256) this.cut()
      return
    }
    const { id, text } = told
    if (id !== null) {
      if (this.#seen.has(id)) return
      this.cursor = id
    }
    this.#write(text)
  }

  #write(text: string): void {
    if (this.#ended || this.body.destroyed) return
    this.body.push(text)
    if (this.body.readableLength > MOST_WAITING_BYTES) this.cut()
  }
}
