import { EventEmitter } from 'node:events'
import type { PGlite } from '@electric-sql/pglite'

/** The messages that end a turn of the protocol: a plain query, a flush, a sync. */
const TURN_ENDS = new Set(Buffer.from('QHS'))
const STARTUP = 0
const TERMINATE = 'X'.charCodeAt(0)
/** AuthenticationOk and ReadyForQuery: the embedded database needs no password. */
const WELCOME = Buffer.from([...[82, 0, 0, 0, 8, 0, 0, 0, 0], ...[90, 0, 0, 0, 5, 73]])

/**
 * An embedded database in place of the driver's socket, so that the driver uses the same protocol as
 * with a server. The messages of a statement are passed on together: parse, bind, describe, execute and
 * sync would be five calls into WebAssembly.
 */
export class EmbeddedStream extends EventEmitter {
  readonly #pglite: PGlite
  #waiting: Uint8Array[] = []
  writable = true

  constructor(pglite: PGlite) {
    super()
    this.#pglite = pglite
  }

  connect(): void {
    queueMicrotask(() => this.emit('connect'))
  }

  write(message: Uint8Array, written?: () => void): boolean {
    const [kind] = message
    if (kind === STARTUP) queueMicrotask(() => this.emit('data', WELCOME))
    else if (kind !== TERMINATE) {
      this.#waiting.push(message)
      if (TURN_ENDS.has(kind ?? STARTUP)) void this.#takeTurn()
    }
    if (written) queueMicrotask(written)
    return true
  }

  end(): void {
    this.destroy()
  }

  destroy(): void {
    if (!this.writable) return
    this.writable = false
    queueMicrotask(() => this.emit('close'))
  }

  async #takeTurn(): Promise<void> {
    const turn = Buffer.concat(this.#waiting)
    this.#waiting = []
    const pieces: Buffer[] = []
    // A piece is a view of the database's own memory, which is overwritten later.
    const onRawData = (piece: Uint8Array) => void pieces.push(Buffer.from(piece))
    try {
      await this.#pglite.execProtocolRawStream(turn, { syncToFs: false, onRawData })
    } catch (error) {
      this.emit('error', error)
      return this.destroy()
    }
    if (pieces.length > 0) this.emit('data', Buffer.concat(pieces))
  }

  // Methods of a socket that a function call does not need.
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}
