import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  deleteImage,
  type ImageKey,
  insertImage,
  lockPictured,
  type Owner,
  updatePictured,
} from './queries.ts'
import { pictureOf } from './rules.ts'
import type { NewImage } from './schema.ts'

const NAMES = { 'store.products': 'Product', 'store.categories': 'Category' } as const
const NONE = { imageId: null, imageWidth: null, imageHeight: null, imageAlt: null }

/**
 * Replaces the picture of a product or category, or only its alternative text; a replaced picture is deleted. 404
 * for an unknown owner, and for one without a picture if none is sent; 422 `image_unusable`.
 */
export async function setImage(
  tx: Tx,
  { owner, key }: { owner: Owner; key: ImageKey },
  { image, alt }: NewImage,
  now: Instant,
): Promise<void> {
  const picture = image === undefined ? null : pictureOf(image)
  const before = await lockPictured(tx, owner, key)
  if (!before) throw notFound(NAMES[owner])
  const imageAlt = alt === undefined ? before.imageAlt : alt
  if (!picture) {
    if (before.imageId === null) throw notFound('Image')
    return updatePictured(tx, owner, key, { ...before, imageAlt })
  }
  const { tenantId } = key
  const id = newId()
  const { mediaType, width: imageWidth, height: imageHeight, content } = picture
  await insertImage(tx, { tenantId, id, mediaType, content, createdAt: now })
  await updatePictured(tx, owner, key, { imageId: id, imageWidth, imageHeight, imageAlt })
  if (before.imageId) await deleteImage(tx, { tenantId, id: before.imageId })
}

/** Deletes the picture of a product or category. 404 if there is none. */
export async function removeImage(
  tx: Tx,
  { owner, key }: { owner: Owner; key: ImageKey },
): Promise<void> {
  const before = await lockPictured(tx, owner, key)
  if (!before) throw notFound(NAMES[owner])
  if (before.imageId === null) throw notFound('Image')
  await updatePictured(tx, owner, key, NONE)
  await deleteImage(tx, { tenantId: key.tenantId, id: before.imageId })
}
