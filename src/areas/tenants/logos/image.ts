import { crc32, inflateSync } from 'node:zlib'

/** What is read of a picture: of which type it is, and how large. */
export type Image = {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

/** Why a picture is not taken, as a sentence. */
export class Unusable extends Error {}

export const MAX_SIDE = 2000

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const NO_PICTURE = 'This is neither a PNG nor a JPEG.'
const DAMAGED = 'This picture is damaged.'

/**
 * Reads a picture by its bytes, whatever it is called. What passes can be set in a PDF/A as it is:
 * opaque, in grey or RGB, whole. Throws `Unusable` for everything else.
 */
export function imageIn(bytes: Buffer): Image {
  const image = bytes.subarray(0, 8).equals(PNG_SIGNATURE) ? pngIn(bytes) : jpegIn(bytes)
  const { width, height } = image
  if (width < 1 || height < 1) throw new Unusable(DAMAGED)
  if (width > MAX_SIDE || height > MAX_SIDE) {
    throw new Unusable(`This picture is larger than ${MAX_SIDE} pixels on a side.`)
  }
  return image
}

/** How many samples a pixel has, by the color type of a PNG. Those with transparency are missing. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1 }
const TRANSPARENT = 'This picture is transparent in places. Save it on a white ground.'

function pngIn(bytes: Buffer): Image {
  const chunks = chunksIn(bytes)
  const header = chunks[0]?.type === 'IHDR' ? chunks[0].data : undefined
  if (header?.length !== 13) throw new Unusable(DAMAGED)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, color = 0, , , interlaced] = header.subarray(8)
  const isClear = color === 4 || color === 6 || chunks.some(({ type }) => type === 'tRNS')
  if (isClear) throw new Unusable(TRANSPARENT)
  const samples = SAMPLES[color]
  if (samples === undefined || ![1, 2, 4, 8].includes(depth) || interlaced !== 0) {
    throw new Unusable('Save this PNG with 8 bits per channel and without interlacing.')
  }
  const palettes = chunks.filter(({ type }) => type === 'PLTE')
  const isPaletteFit = (palettes[0]?.data.length ?? 0) % 3 === 0 && palettes.length <= 1
  if (!isPaletteFit || (color === 3 && palettes.length === 0)) throw new Unusable(DAMAGED)
  if (width > MAX_SIDE || height > MAX_SIDE) return { mediaType: 'image/png', width, height }
  // A filter and the samples of every row, to the byte: nothing unpacks to more than it says.
  const expected = height * (1 + Math.ceil((width * samples * depth) / 8))
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  if (unpackedLength(Buffer.concat(packed), expected) !== expected) throw new Unusable(DAMAGED)
  return { mediaType: 'image/png', width, height }
}

type Chunk = { readonly type: string; readonly data: Buffer }

/** The parts of a PNG, each with its checksum right, up to its end and nothing after it. */
function chunksIn(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  let at = PNG_SIGNATURE.length
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) break
    chunks.push({ type, data: bytes.subarray(at + 8, end) })
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

/** The markers that begin a picture a PDF can hold: baseline, extended and progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2]
const IS_FRAME = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegIn(bytes: Buffer): Image {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) throw new Unusable(NO_PICTURE)
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) throw new Unusable(DAMAGED)
  let at = 2
  while (at + 4 <= bytes.length) {
    const marker = bytes.readUInt16BE(at) - 0xff00
    const length = bytes.readUInt16BE(at + 2)
    if (marker < 0 || length < 2 || at + 2 + length > bytes.length) break
    if (IS_FRAME(marker)) return frameIn(marker, bytes.subarray(at + 4, at + 2 + length))
    at += 2 + length
  }
  throw new Unusable(DAMAGED)
}

function frameIn(marker: number, frame: Buffer): Image {
  if (frame.length < 6) throw new Unusable(DAMAGED)
  const [depth, components] = [frame[0], frame[5]]
  if (!FRAMES.includes(marker) || depth !== 8 || (components !== 1 && components !== 3)) {
    throw new Unusable('Save this JPEG in grey or RGB, with 8 bits per channel.')
  }
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)]
  return { mediaType: 'image/jpeg', width, height }
}
