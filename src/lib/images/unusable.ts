/** Why a picture is not accepted, as a sentence. */
export class Unusable extends Error {}

export const DAMAGED = 'This picture is damaged.'

export const MAX_SIDE = 2000

/** Throws `Unusable` for a picture with a side of 0 pixels, and for one that is too large. */
export function assertSides({ width, height }: { width: number; height: number }): void {
  if (width < 1 || height < 1) throw new Unusable(DAMAGED)
  if (width > MAX_SIDE || height > MAX_SIDE) {
    throw new Unusable(`This picture is larger than ${MAX_SIDE} pixels on a side.`)
  }
}
