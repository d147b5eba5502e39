/** The longest side that a picture in the shop needs, in pixels. */
const MAX_SIDE = 1600
const MAX_BYTES = 512 * 1024
const QUALITY = 0.85

/**
 * A picture as the shop can show it: upright, and not larger than needed. Null for a file that is not a picture, or
 * that is still too large.
 */
export async function shopPictureOf(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return null
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height))
  // A photograph may be stored rotated: drawing it turns it upright.
  const isFit = scale === 1 && file.size <= MAX_BYTES && file.type !== 'image/jpeg'
  if (isFit) return file
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp'
  const drawn = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, QUALITY))
  return drawn && drawn.size <= MAX_BYTES ? drawn : null
}
