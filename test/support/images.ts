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
