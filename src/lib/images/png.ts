import { crc32, inflateSync } from 'node:zlib'
import { assertSides, DAMAGED, Unusable } from './unusable.ts'

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A chunk of a PNG: `bytes` is all of it, with its length and its checksum. */
type Chunk = { readonly type: string; readonly data: Buffer; readonly bytes: Buffer }

export type Png = {
  readonly width: number
  readonly height: number
  readonly isTransparent: boolean
  readonly chunks: readonly Chunk[]
}

/** How many samples a pixel has, by the color type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const TRANSPARENT: ReadonlySet<number> = new Set([4, 6])

/**
 * Reads a PNG that is complete, with at most 8 bits per channel, and not interlaced. Throws `Unusable` for every
 * other one.
 */
export function pngIn(bytes: Buffer): Png {
  const chunks = chunksIn(bytes)
  const header = chunks[0]?.type === 'IHDR' ? chunks[0].data : undefined
  if (header?.length !== 13) throw new Unusable(DAMAGED)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, color = 0, , , interlaced] = header.subarray(8)
  const samples = SAMPLES[color]
  if (samples === undefined || ![1, 2, 4, 8].includes(depth) || interlaced !== 0) {
    throw new Unusable('Save this PNG with 8 bits per channel and without interlacing.')
  }
  const palettes = chunks.filter(({ type }) => type === 'PLTE')
  const isPaletteFit = (palettes[0]?.data.length ?? 0) % 3 === 0 && palettes.length <= 1
  if (!isPaletteFit || (color === 3 && palettes.length === 0)) throw new Unusable(DAMAGED)
  assertSides({ width, height })
  // A filter byte and the samples of every row: the data must not unpack to more than the header says.
  const expected = height * (1 + Math.ceil((width * samples * depth) / 8))
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  if (unpackedLength(Buffer.concat(packed), expected) !== expected) throw new Unusable(DAMAGED)
  const isTransparent = TRANSPARENT.has(color) || chunks.some(({ type }) => type === 'tRNS')
  return { width, height, isTransparent, chunks }
}

/** The chunks of a PNG, each with a valid checksum, up to its end and nothing after it. */
function chunksIn(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  let at = PNG_SIGNATURE.length
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) break
    chunks.push({ type, data: bytes.subarray(at + 8, end), bytes: bytes.subarray(at, end + 4) })
    at = end + 4
    if (type === 'IEND' && at === bytes.length) return chunks
  }
  throw new Unusable(DAMAGED)
}

function unpackedLength(packed: Buffer, limit: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, limit) }).length
  } catch {
    return -1
  }
}
