import { v7, validate, version } from 'uuid'

/** A new id: UUIDv7, so ids of one table sort by the time of their creation. */
export function newId(): string {
  return v7()
}

const NO_CHANCE = new Uint8Array(16)

/** An id that is older than any that was created in the last `ms` milliseconds. */
export function idBefore(ms: number): string {
  return v7({ msecs: Date.now() - ms, seq: 0, random: NO_CHANCE })
}

/** Whether a text has the format of one of our ids. A malformed one is a 404 like an unknown one. */
export function isId(text: string): boolean {
  return text.length === 36 && validate(text) && version(text) === 7 && text === text.toLowerCase()
}
