import { imageOf } from '../images/rules.ts'
import type { CategoryRow } from './queries.ts'

/** A category as answers show it. */
export function categoryView(category: CategoryRow) {
  return { ...category, image: imageOf(category) }
}
