import { assertSides, DAMAGED, Unusable } from './unusable.ts'

type Chunk = { readonly type: string; readonly data: Buffer }

export type Webp = {
  readonly width: number
  readonly height: number
  readonly chunks: readonly Chunk[]
}

const ANIMATED = 0b10

/** Whether bytes begin like a WebP (RFC 9649). */
export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
}

/** Reads a WebP (RFC 9649) that is complete and not animated. Throws `Unusable` for every other one. */
export function webpIn(bytes: Buffer): Webp {
  const chunks = chunksIn(bytes)
  const extended = chunks[0]?.type === 'VP8X' ? chunks[0].data : null
  const moves = chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')
  if (moves || (extended && ((extended[0] ?? 0) & ANIMATED) !== 0)) {
    throw new Unusable('This picture moves. Save one that stands still.')
  }
  const pictures = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const [picture] = pictures
  if (!picture || pictures.length > 1) throw new Unusable(DAMAGED)
  const sides = picture.type === 'VP8 ' ? lossySides(picture.data) : losslessSides(picture.data)
  // Browsers reserve the size of the canvas, so a still picture has to fill it.
  if (extended) {
    const [width, height] = [sideAt(extended, 4), sideAt(extended, 7)]
    if (width !== sides.width || height !== sides.height) throw new Unusable(DAMAGED)
  }
  assertSides(sides)
  return { ...sides, chunks }
}

function chunksIn(bytes: Buffer): Chunk[] {
  if (bytes.length < 20 || bytes.readUInt32LE(4) !== bytes.length - 8) throw new Unusable(DAMAGED)
  const chunks: Chunk[] = []
  let at = 12
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length
    if (end > bytes.length) break
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, end) })
    // Chunks of an odd length are followed by a byte of padding.
    at = end + (length % 2)
    if (at === bytes.length) return chunks
  }
  throw new Unusable(DAMAGED)
}

/** A side of the canvas, which is stored minus one in 24 bits. */
function sideAt(data: Buffer, at: number): number {
  if (data.length < at + 3) throw new Unusable(DAMAGED)
  return data.readUIntLE(at, 3) + 1
}

function lossySides(data: Buffer) {
  const isKeyFrame = data.length >= 10 && ((data[0] ?? 1) & 1) === 0
  if (!isKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a) throw new Unusable(DAMAGED)
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

function losslessSides(data: Buffer) {
  if (data.length < 5 || data[0] !== 0x2f) throw new Unusable(DAMAGED)
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
