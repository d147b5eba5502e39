import type { PageLook } from '#platform/pages/document.ts'
import { brandPicturesOf, logoUrlOf, type ShownBrand } from './schema.ts'

/** The look of a shop's pages in a language, from its brand; pictures have paths of the shop's own URL. */
export function lookOf(brand: ShownBrand, locale: string): PageLook {
  return {
    ...{ shop: brand.name, color: brand.primaryColor, locale },
    ...{ logoUrl: logoUrlOf(brand, ''), ...brandPicturesOf(brand, '') },
  }
}
