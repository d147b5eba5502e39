import type { Readable } from 'node:stream'
import { StartError } from '../start-error.ts'

/** A file that was stored: its size, and the SHA-256 of its bytes. */
export type StoredFile = { readonly sizeBytes: number; readonly sha256: Buffer }

/**
 * Stores files that are written once and read as a whole. A key is a path whose first part is the
 * tenant: `{tenantId}/documents/{name}`. An invalid key throws a RangeError.
 */
export type Files = {
  /** Stores content under a key, completely or not at all. Existing content is replaced. */
  put(key: string, content: Buffer | AsyncIterable<Uint8Array>): Promise<StoredFile>
  /** The content under a key; null if there is none. */
  get(key: string): Promise<Readable | null>
  exists(key: string): Promise<boolean>
  /** Deletes the content under a key, if there is any. */
  delete(key: string): Promise<void>
  /** Checks whether files can be stored. Throws a `FilesUnusable`. */
  check(): Promise<void>
}

/** Files cannot be stored in the configured place; the message is for the person who starts Moorage. */
export class FilesUnusable extends StartError {}

const KEY = /^[0-9a-f-]{36}(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/
const MAX_KEY_LENGTH = 300

/** Throws a RangeError for a key that does not begin with a tenant, or that leaves its folder. */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new RangeError(`Not a key: ${key}`)
}
