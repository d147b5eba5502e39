import type { Static } from 'typebox'
import { pictureIn } from '#lib/images/picture.ts'
import { Unusable } from '#lib/images/unusable.ts'
import { unprocessable } from '#lib/problem.ts'
import { IMAGES_PATH, type Image } from './schema.ts'

/** The fields of a product or category about its picture. */
export type Pictured = {
  readonly imageId: string | null
  readonly imageWidth: number | null
  readonly imageHeight: number | null
  readonly imageAlt: string | null
}

/** The picture of a product or category in a response; null if there is none. */
export function imageOf(row: Pictured): Static<typeof Image> | null {
  const { imageId, imageWidth, imageHeight, imageAlt } = row
  if (imageId === null || imageWidth === null || imageHeight === null) return null
  return {
    url: `${IMAGES_PATH}/${imageId}`,
    ...{ width: imageWidth, height: imageHeight, alt: imageAlt },
  }
}

/** Reads an uploaded picture. Throws 422 `image_unusable`. */
export function pictureOf(base64: string) {
  try {
    return pictureIn(Buffer.from(base64, 'base64'))
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    throw unprocessable(error.message, 'image_unusable')
  }
}
