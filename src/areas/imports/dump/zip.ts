import { DumpFault } from './fault.ts'
import type { Source } from './unpack.ts'

/** A file of a ZIP archive, as described by its header. */
export type Entry = {
  readonly name: string
  readonly isDump: boolean
  readonly method: 'stored' | 'deflated'
  /** Null if the length is only given after the content. */
  readonly packedBytes: number | null
}

const FILE_HEADER = 0x04034b50
const ENCRYPTED = 1
const LENGTHS_FOLLOW = 8
const IN_ZIP64 = 0xffffffff

/**
 * Reads the next file's header; null after the last file. Throws a DumpFault for a name outside the
 * archive, and for encrypted files or other compression methods.
 */
export async function entryAfter(source: Source): Promise<Entry | null> {
  const ahead = await source.ahead(30)
  if (ahead.length < 30 || ahead.readUInt32LE(0) !== FILE_HEADER) return null
  const header = await source.take(30)
  const flags = header.readUInt16LE(6)
  const method = header.readUInt16LE(8)
  const name = (await source.take(header.readUInt16LE(26))).toString('utf8')
  const extra = await source.take(header.readUInt16LE(28))
  assertInside(name)
  if (flags & ENCRYPTED) throw new DumpFault('archive_encrypted')
  const isDump = /\.sql$/i.test(name) && !/(?:^|\/)(?:\._|__MACOSX\/)/.test(name)
  if (isDump && method !== 0 && method !== 8) throw new DumpFault('archive_not_supported')
  const packed = header.readUInt32LE(18)
  const known = !(flags & LENGTHS_FOLLOW)
  const packedBytes = known ? (packed === IN_ZIP64 ? longLength(extra, header) : packed) : null
  if (isDump && method === 0 && packedBytes === null) throw new DumpFault('archive_not_supported')
  return { name, isDump, method: method === 0 ? 'stored' : 'deflated', packedBytes }
}

function assertInside(name: string): void {
  const parts = name.split(/[\\/]/)
  if (parts.includes('..') || /^(?:[\\/]|[A-Za-z]:)/.test(name) || name.includes('\0')) {
    throw new DumpFault('archive_path_outside')
  }
}

/** Lengths beyond 4 GiB are in a field of their own: first the unpacked one, if it is that long. */
function longLength(extra: Buffer, header: Buffer): number | null {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const place = at + 4 + (header.readUInt32LE(22) === IN_ZIP64 ? 8 : 0)
    return place + 8 <= extra.length ? Number(extra.readBigUInt64LE(place)) : null
  }
  return null
}
