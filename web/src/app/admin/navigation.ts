import type { LinkProps } from '@tanstack/react-router'
import type { AdminTexts } from '../../texts/admin.tsx'
import type { Icon } from '../../ui/index.ts'

/** The groups of the side bar, in their order. */
export const GROUPS = ['start', 'money', 'catalogue', 'machines', 'more'] as const

/** Keys of the texts that are names of pages. */
type PageName = {
  [Name in keyof AdminTexts['shell']]: AdminTexts['shell'][Name] extends string ? Name : never
}[keyof AdminTexts['shell']]

export type NavigationItem = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: PageName
  readonly icon: Icon
  readonly group: (typeof GROUPS)[number]
  /** One of these permissions is enough; an empty list allows all staff. */
  readonly permissions: readonly string[]
  /** The key to press after `g` to go there. */
  readonly key?: string
  /** The entry is highlighted only on its exact path. */
  readonly exact?: boolean
}
