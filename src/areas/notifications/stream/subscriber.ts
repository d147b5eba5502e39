import { Readable } from 'node:stream'
import type { Caller } from '#lib/caller.ts'
import type { Instant } from '#lib/time.ts'
import { type EndReason, HEARTBEAT, MOST_WAITING_BYTES, textOf } from './rules.ts'

type Told = { id: string | null; text: string }

/** One open stream: who reads it, how far they are, and what waits for them. */
export class Subscriber {
  readonly tenantId: string
  readonly userId: string
  readonly credential: Pick<Caller, 'via' | 'credentialId'>
  /** When the credential ends by itself. */
  readonly until: Instant | null
  /** Who runs the shop: they come in while it is suspended. */
  readonly isStaff: boolean
  readonly body: Readable
  /** The last notification that was told, or everything before which counts as told. */
  cursor: string | null
  /** What came while it was being found out what was missed; null once that is told. */
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

  /** Tells a notification, unless it was told while catching up. */
  tell(id: string, text: string): void {
    this.#add({ id, text })
  }

  /** Tells how many are unread. */
  count(unread: number): void {
    this.#add({ id: null, text: textOf({ event: 'unread', data: { count: unread } }) })
  }

  /** From here on what comes waits until `caughtUp`. */
  fallBehind(): void {
    this.#early ??= []
  }

  /** Writes what was missed, then what came meanwhile. `ids` are those of the missed. */
  caughtUp(text: string, { ids, cursor }: { ids: readonly string[]; cursor: string }): void {
    const early = this.#early ?? []
    this.#early = null
    this.#seen = new Set(ids)
    this.cursor = cursor
    this.#write(text)
    for (const it of early) this.#add(it)
  }

  /** What was heard before catching up has been heard by now. */
  forgetSeen(): void {
    if (!this.#early && this.#seen.size > 0) this.#seen = new Set()
  }

  /** Shows that we are there; ends the stream of somebody who has not read what waited before. */
  beat(): void {
    const waits = this.body.readableLength > 0
    if (waits && this.#waitedBefore) this.cut()
    this.#waitedBefore = waits
    this.#write(HEARTBEAT)
  }

  /** Ends the stream after what was written, and says why; nothing more is. */
  end(reason: EndReason): void {
    this.#write(textOf({ event: 'end', data: { reason } }))
    if (!this.#ended && !this.body.destroyed) this.body.push(null)
    this.#ended = true
  }

  /** Ends the stream at once, and drops what waits. */
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
