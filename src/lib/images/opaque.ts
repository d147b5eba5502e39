import { jpegIn } from './jpeg.ts'
import { PNG_SIGNATURE, pngIn } from './png.ts'
import { Unusable } from './unusable.ts'

/** The type of a picture, and its dimensions. */
export type Image = {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

/**
 * Reads a picture by its bytes, whatever its file name is. An accepted one can be embedded in a
 * PDF/A unchanged: opaque, in grey or RGB, complete. Throws `Unusable` for everything else.
 */
export function opaqueImageIn(bytes: Buffer): Image {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) {
    const { width, height } = jpegIn(bytes)
    return { mediaType: 'image/jpeg', width, height }
  }
  const { width, height, isTransparent } = pngIn(bytes)
  if (isTransparent) {
    throw new Unusable('This picture is transparent in places. Save it on a white ground.')
  }
  return { mediaType: 'image/png', width, height }
}
