import { Type } from 'typebox'
import { settings } from '#tenants'

const MEGABYTE = 2 ** 20
const LARGEST = 4 * 2 ** 30

/** Limits for uploads. */
export const importSettings = settings(
  'imports',
  Type.Object({
    maxUploadBytes: Type.Integer({
      minimum: MEGABYTE,
      maximum: LARGEST,
      default: LARGEST,
      description: 'Maximum size of an uploaded file, in bytes',
    }),
  }),
)
