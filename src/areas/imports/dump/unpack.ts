import { createGunzip, createInflateRaw } from 'node:zlib'
import { DumpFault } from './fault.ts'
import { type Entry, entryAfter } from './zip.ts'

/** Limits for the unpacked size of an upload. */
export type UnpackLimits = {
  readonly maxBytes: number
  /** How many times larger than the file the content may be, once it is larger than FREE_BYTES. */
  readonly maxRatio: number
}

export type Compression = 'none' | 'gzip' | 'zip'

/** Any ratio is allowed below this: a small dump of one repeated row is harmless. */
const FREE_BYTES = 16 << 20

const OTHERS: readonly [string, readonly number[]][] = [
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58]],
  ['7z', [0x37, 0x7a, 0xbc, 0xaf]],
  ['rar', [0x52, 0x61, 0x72, 0x21]],
]

/** The compression of a file, by its first bytes. Throws a DumpFault for one that is not supported. */
function compressionOf(first: Buffer): Compression {
  const begins = (magic: readonly number[]) => magic.every((byte, index) => first[index] === byte)
  const other = OTHERS.find(([, magic]) => begins(magic))
  if (other) throw new DumpFault(`unsupported_compression_${other[0]}`)
  if (begins([0x1f, 0x8b])) return 'gzip'
  return begins([0x50, 0x4b, 3, 4]) ? 'zip' : 'none'
}

/**
 * The text of a dump, unpacked from its file. Throws a DumpFault for an archive that is broken,
 * contains no SQL file, names a path outside of itself, or becomes too large.
 */
export async function* unpacked(
  file: AsyncIterable<Buffer>,
  limits: UnpackLimits,
): AsyncGenerator<Buffer> {
  const source = countingSource(file)
  const first = await source.ahead(4)
  const compression = compressionOf(first)
  const content = { none: plain, gzip: gunzipped, zip: unzipped }[compression](source)
  let bytes = 0
  for await (const piece of content) {
    if (bytes === 0 && isTar(piece)) throw new DumpFault('archive_tar')
    bytes += piece.length
    if (bytes > limits.maxBytes) throw new DumpFault('unpacked_too_large')
    if (bytes > FREE_BYTES && bytes > source.read * limits.maxRatio && compression !== 'none') {
      throw new DumpFault('compression_bomb')
    }
    yield piece
  }
}

/** The magic number of a tar archive follows its first file name. */
function isTar(piece: Buffer): boolean {
  return piece.toString('latin1', 257, 262) === 'ustar'
}

/** A file read in pieces, some of which can be looked at before they are taken. */
export type Source = {
  /** How many bytes have been taken from the file. */
  readonly read: number
  /** At least this many of the next bytes, fewer only at the end. They are not consumed. */
  ahead(count: number): Promise<Buffer>
  /** Takes this many bytes. */
  take(count: number): Promise<Buffer>
  /** The next piece, of any length; null at the end. */
  next(): Promise<Buffer | null>
  /** Puts the bytes that were taken last back. */
  unread(piece: Buffer): void
}

function countingSource(file: AsyncIterable<Buffer>): Source {
  const pieces = file[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  let read = 0
  let ended = false
  async function more(): Promise<void> {
    const { value, done } = await pieces.next()
    if (done) ended = true
    else held = held.length === 0 ? value : Buffer.concat([held, value])
  }
  const source = {
    get read() {
      return read
    },
    async ahead(count: number) {
      while (held.length < count && !ended) await more()
      return held
    },
    async take(count: number) {
      await source.ahead(count)
      if (held.length < count) throw new DumpFault('archive_truncated')
      const taken = held.subarray(0, count)
      held = held.subarray(count)
      read += count
      return taken
    },
    async next() {
      await source.ahead(1)
      if (held.length === 0) return null
      return source.take(held.length)
    },
    unread(piece: Buffer) {
      held = held.length === 0 ? piece : Buffer.concat([piece, held])
      read -= piece.length
    },
  }
  return source
}

async function* plain(source: Source): AsyncGenerator<Buffer> {
  for (let piece = await source.next(); piece; piece = await source.next()) yield piece
}

async function* gunzipped(source: Source): AsyncGenerator<Buffer> {
  const inflater = createGunzip({ chunkSize: 256 << 10 })
  try {
    yield* through(source, inflater)
  } catch (error) {
    throw archiveFault(error)
  }
}

type Inflater = ReturnType<typeof createGunzip> | ReturnType<typeof createInflateRaw>

/** Feeds an inflater as fast as its output is read. */
async function* through(source: Source, inflater: Inflater): AsyncGenerator<Buffer> {
  const feeding = (async () => {
    for (let piece = await source.next(); piece; piece = await source.next()) {
      if (inflater.destroyed) return
      if (!inflater.write(piece)) await drained(inflater)
    }
    inflater.end()
  })()
  // An error of the source destroys the inflater, which ends the loop.
  feeding.catch((error) => inflater.destroy(error))
  try {
    for await (const piece of inflater) yield piece as Buffer
    await feeding
  } finally {
    inflater.destroy()
  }
}

/** Waits until an inflater accepts more input, or is closed. */
function drained(inflater: Inflater): Promise<void> {
  return new Promise((resolve) => {
    function settle(): void {
      inflater.off('drain', settle).off('close', settle)
      resolve()
    }
    inflater.on('drain', settle).on('close', settle)
  })
}

/** mydumper writes the structure of each table, and of the database, as a file of its own. */
const OF_PARTS = /-schema(?:-create|-triggers|-view)?\.sql(?:\.gz|\.zst)?$/i

async function* unzipped(source: Source): AsyncGenerator<Buffer> {
  for (;;) {
    const entry = await entryAfter(source)
    if (!entry) throw new DumpFault('no_sql_file_in_archive')
    if (OF_PARTS.test(entry.name)) throw new DumpFault('archive_of_parts')
    if (entry.isDump) {
      yield* contentOf(source, entry)
      return
    }
    if (entry.packedBytes === null) throw new DumpFault('archive_not_supported')
    for (let left = entry.packedBytes; left > 0; ) {
      const piece = await source.next()
      if (!piece) throw new DumpFault('archive_truncated')
      if (piece.length > left) source.unread(piece.subarray(left))
      left -= Math.min(left, piece.length)
    }
  }
}

async function* contentOf(source: Source, entry: Entry): AsyncGenerator<Buffer> {
  if (entry.method === 'stored') {
    for (let left = entry.packedBytes ?? 0; left > 0; ) {
      const piece = await source.next()
      if (!piece) throw new DumpFault('archive_truncated')
      yield piece.subarray(0, left)
      left -= Math.min(left, piece.length)
    }
    return
  }
  try {
    yield* through(source, createInflateRaw({ chunkSize: 256 << 10 }))
  } catch (error) {
    throw archiveFault(error)
  }
}

function archiveFault(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return new DumpFault('archive_truncated')
  return code.startsWith('Z_') ? new DumpFault('archive_broken') : error
}
