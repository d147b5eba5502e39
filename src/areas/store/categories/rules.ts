import { imageOf } from '../images/rules.ts'
import { textsIn } from '../translations/rules.ts'
import type { CategoryRow } from './queries.ts'

/** A category as responses show it. */
export function categoryView(category: CategoryRow) {
  return { ...category, image: imageOf(category) }
}

/** A category as a visitor who reads a language sees it. */
export function shownCategory(category: CategoryRow, locale: string | null) {
  return { ...categoryView(category), ...textsIn(category, locale) }
}
