import { jpegIn } from './jpeg.ts'
import { PNG_SIGNATURE, pngIn } from './png.ts'
import { Unusable } from './unusable.ts'
import { isWebp, webpIn } from './webp.ts'

/** A picture for the pages of a shop: `content` has only what is needed to draw it. */
export type Picture = {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
  readonly content: Buffer
}

/**
 * Reads a PNG, JPEG or WebP by its bytes, and writes it again without what is not needed to draw it: the place
 * where a photograph was taken, comments, and other metadata. Throws `Unusable` for everything else.
 */
export function pictureIn(bytes: Buffer): Picture {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return pngPicture(bytes)
  if (isWebp(bytes)) return webpPicture(bytes)
  if (bytes.length >= 2 && bytes.readUInt16BE(0) === 0xffd8) return jpegPicture(bytes)
  throw new Unusable('This is no PNG, JPEG or WebP.')
}

/** The chunks that are needed to draw a PNG: the picture, its transparency, and its colour space. */
const OF_PNG: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP'],
])

function pngPicture(bytes: Buffer): Picture {
  const { width, height, chunks } = pngIn(bytes)
  const kept = chunks.filter(({ type }) => OF_PNG.has(type)).map((it) => it.bytes)
  const content = Buffer.concat([PNG_SIGNATURE, ...kept])
  return { mediaType: 'image/png', width, height, content }
}

const [JFIF, EXIF, COLOR_PROFILE, ADOBE, COMMENT] = [0xe0, 0xe1, 0xe2, 0xee, 0xfe]
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef
const OF_JPEG: ReadonlySet<number> = new Set([JFIF, COLOR_PROFILE, ADOBE])

function jpegPicture(bytes: Buffer): Picture {
  const { width, height, before, rest } = jpegIn(bytes)
  if (before.some(({ marker, data }) => marker === EXIF && isTurned(data))) {
    throw new Unusable('This photograph is stored on its side. Open it and save it upright.')
  }
  const kept = before.filter(
    ({ marker }) => marker !== COMMENT && (!isApplication(marker) || OF_JPEG.has(marker)),
  )
  const content = Buffer.concat([bytes.subarray(0, 2), ...kept.map((it) => it.bytes), rest])
  return { mediaType: 'image/jpeg', width, height, content }
}

const ORIENTATION = 0x0112

/** Whether the Exif data of a picture requires it to be rotated to be upright. */
function isTurned(data: Buffer): boolean {
  if (data.toString('latin1', 0, 6) !== 'Exif\0\0') return false
  const tiff = data.subarray(6)
  if (tiff.length < 14) return false
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return false
  const end = Math.min(first + 2 + 12 * read16(first), tiff.length - 11)
  for (let at = first + 2; at < end; at += 12) {
    if (read16(at) === ORIENTATION) return read16(at + 8) !== 1
  }
  return false
}

const OF_WEBP: ReadonlySet<string> = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP'])
/** The flags for a colour profile and transparency. */
const KEPT_BITS = 0b110000

function webpPicture(bytes: Buffer): Picture {
  const { width, height, chunks } = webpIn(bytes)
  const parts = chunks
    .filter(({ type }) => OF_WEBP.has(type))
    .map(({ type, data }) => webpChunk(type, type === 'VP8X' ? announcing(data) : data))
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts])
  return { mediaType: 'image/webp', width, height, content: webpChunk('RIFF', body) }
}

/** The header of an extended WebP without flags for metadata. */
function announcing(header: Buffer): Buffer {
  const changed = Buffer.from(header)
  changed[0] = (header[0] ?? 0) & KEPT_BITS
  return changed
}

function webpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
