import { assertSides, DAMAGED, Unusable } from './unusable.ts'

const NO_PICTURE = 'This is neither a PNG nor a JPEG.'

/** A segment of a JPEG before its picture: `bytes` is all of it, with its marker. */
type Segment = { readonly marker: number; readonly data: Buffer; readonly bytes: Buffer }

export type Jpeg = {
  readonly width: number
  readonly height: number
  /** The segments before the one with the dimensions, and everything from that one on. */
  readonly before: readonly Segment[]
  readonly rest: Buffer
}

/** The markers that begin a picture that a PDF can contain: baseline, extended and progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2]
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Reads a JPEG that is complete, in grey or RGB, with 8 bits per channel. Throws `Unusable` for everything else. */
export function jpegIn(bytes: Buffer): Jpeg {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) throw new Unusable(NO_PICTURE)
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) throw new Unusable(DAMAGED)
  const before: Segment[] = []
  let at = 2
  while (at + 4 <= bytes.length) {
    const marker = bytes.readUInt16BE(at) - 0xff00
    const length = bytes.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (marker < 0 || length < 2 || end > bytes.length) break
    const data = bytes.subarray(at + 4, end)
    if (isFrame(marker)) return { ...frameIn(marker, data), before, rest: bytes.subarray(at) }
    before.push({ marker, data, bytes: bytes.subarray(at, end) })
    at = end
  }
  throw new Unusable(DAMAGED)
}

function frameIn(marker: number, frame: Buffer): { width: number; height: number } {
  if (frame.length < 6) throw new Unusable(DAMAGED)
  const [depth, components] = [frame[0], frame[5]]
  if (!FRAMES.includes(marker) || depth !== 8 || (components !== 1 && components !== 3)) {
    throw new Unusable('Save this JPEG in grey or RGB, with 8 bits per channel.')
  }
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)]
  assertSides({ width, height })
  return { width, height }
}
