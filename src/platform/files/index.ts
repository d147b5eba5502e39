import type { Readable } from 'node:stream'
import { StartError } from '../start-error.ts'

/** A file that was stored: how long it is, and the SHA-256 over its bytes. */
export type StoredFile = { readonly sizeBytes: number; readonly sha256: Buffer }

/**
 * Keeps files that are made once and read as a whole. A key is a path whose first part is the
 * tenant: `{tenantId}/documents/{name}`. A key that is none throws a RangeError.
 */
export type Files = {
  /** Stores content under a key. It is there as a whole or not at all; what was there is replaced. */
  put(key: string, content: Buffer | AsyncIterable<Uint8Array>): Promise<StoredFile>
  /** The content under a key; null when there is none. */
  get(key: string): Promise<Readable | null>
  exists(key: string): Promise<boolean>
  /** Removes what is under a key; nothing there is as good. */
  delete(key: string): Promise<void>
  /** Tries whether files can be kept here. Throws a `FilesUnusable`. */
  check(): Promise<void>
}

/** Files cannot be kept where the configuration says; the message is for the person who starts us. */
export class FilesUnusable extends StartError {}

const KEY = /^[0-9a-f-]{36}(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/
const MAX_KEY_LENGTH = 300

/** Throws a RangeError for a key that does not begin with a tenant, or leaves its folder. */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new RangeError(`Not a key: ${key}`)
}
