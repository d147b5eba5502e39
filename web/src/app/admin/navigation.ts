import type { LinkProps } from '@tanstack/react-router'
import type { AdminTexts } from '../../texts/admin.tsx'
import type { Icon } from '../../ui/index.ts'

/** The groups of the side bar, in their order. */
export const GROUPS = ['start', 'money', 'catalogue', 'machines', 'more'] as const

/** The texts of the shell that are names of pages. */
type PageName = {
  [Name in keyof AdminTexts['shell']]: AdminTexts['shell'][Name] extends string ? Name : never
}[keyof AdminTexts['shell']]

export type NavigationItem = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: PageName
  readonly icon: Icon
  readonly group: (typeof GROUPS)[number]
  /** One of them is enough; an empty list is for all staff. */
  readonly permissions: readonly string[]
  /** The letter after `g` that leads there. */
  readonly key?: string
  /** It is lit on its own address only, not below it. */
  readonly exact?: boolean
}
