import { jpegIn } from './jpeg.ts'
import { PNG_SIGNATURE, pngIn } from './png.ts'
import { Unusable } from './unusable.ts'

/** What is read of a picture: of which type it is, and how large. */
export type Image = {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

/**
 * Reads a picture by its bytes, whatever it is called. What passes can be set in a PDF/A as it is:
 * opaque, in grey or RGB, whole. Throws `Unusable` for everything else.
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
