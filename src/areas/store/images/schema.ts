import { type Static, Type } from 'typebox'
import { Body, Line, Nullable, Resource } from '#lib/schema.ts'

export const IMAGES_PATH = '/v1/store/images'

const MAX_BYTES = 512 * 1024
const Alt = Nullable({
  ...Line(),
  description: 'What the picture shows, for people who do not see it; null: it decorates',
})

export const NewImage = Body({
  image: Type.Optional(
    Type.String({
      ...{ minLength: 4, maxLength: Math.ceil(MAX_BYTES / 3) * 4 },
      ...{ pattern: '^[A-Za-z0-9+/]+={0,2}$', contentEncoding: 'base64' },
      description:
        'A PNG, JPEG or still WebP in base64: 512 kB and 2000 pixels a side at most. Without it the picture stays.',
    }),
  ),
  alt: Type.Optional(Alt),
})
export type NewImage = Static<typeof NewImage>

/** A picture in a response. */
export const Image = Resource('StoreImage', {
  url: Type.String({
    description: 'Its path on the host of the shop; another picture has another one',
  }),
  width: Type.Integer(),
  height: Type.Integer(),
  alt: Alt,
})
