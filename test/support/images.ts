import { crc32, deflateSync } from 'node:zlib'

type Wanted = {
  width?: number
  height?: number
  /** The color type of a PNG: 2 is RGB, 6 is RGB with transparency. */
  color?: number
  depth?: number
  interlaced?: boolean
  /** Chunks of one's own, before the picture. */
  extra?: Buffer[]
  /** How many bytes the picture unpacks to, where that is not what it says. */
  unpacked?: number
}

/** One part of a PNG, with its length and checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(data.length, 0)
  sizes.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([sizes.subarray(0, 4), named, sizes.subarray(4)])
}

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** A PNG of one color. */
export function pngOf({
  width = 8,
  height = 4,
  color = 2,
  depth = 8,
  interlaced = false,
  extra = [],
  unpacked,
}: Wanted = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, color, 0, 0, Number(interlaced)], 8)
  const row = 1 + Math.ceil((width * (SAMPLES[color] ?? 1) * depth) / 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', deflateSync(Buffer.alloc(unpacked ?? height * row))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A WebP of one pixel: with loss, and without. */
export const WEBP = {
  lossy: Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
  lossless: Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
}

/** A WebP of these chunks. */
export function webpOf(...chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  const parts = chunks.map(([type, data]) => riff(type, data))
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts]))
}

function riff(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)])
}

/** A part of a JPEG that stands before its picture. */
export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** The Exif data of a photograph that must be turned so to be seen upright: 1 is as it is. */
export function exifOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM', 0, 'latin1')
  tiff.writeUInt16BE(42, 2)
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(0x0112, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
}

/** The frame of a JPEG without a picture in it: enough for whoever reads its measures. */
export function jpegOf({ width = 8, height = 4, components = 3, marker = 0xc0 } = {}): Buffer {
  const frame = Buffer.alloc(10 + 3 * components)
  frame.set([0xff, marker], 0)
  frame.writeUInt16BE(frame.length - 2, 2)
  frame[4] = 8
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  frame[9] = components
  return Buffer.concat([Buffer.from('ffd8', 'hex'), frame, Buffer.from('ffd9', 'hex')])
}
