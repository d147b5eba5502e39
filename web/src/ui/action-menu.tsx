import type { MenuProps } from '@mantine/core'
import { LazyMenu, type TargetProps } from './lazy-menu.tsx'
import type { Icon } from './parts.tsx'

export type MenuEntry = {
  readonly key: string
  readonly label: string
  readonly icon?: Icon
  /** It is the chosen one, or one of them. */
  readonly isOn?: boolean
  readonly choose: () => void
}

export type EntriesMenuProps = Pick<MenuProps, 'width' | 'position'> & {
  readonly entries: readonly MenuEntry[]
  /** Each entry is turned on or off, and the menu stays open. */
  readonly isChecklist?: boolean
}

/** A button with a menu of entries; the script of the menu is loaded when the button is hovered, focused or pressed. */
export function ActionMenu({ target, ...inner }: EntriesMenuProps & TargetProps) {
  return (
    <LazyMenu
      load={async () => (await import('./entries-menu.tsx')).EntriesMenu}
      inner={inner}
      target={target}
    />
  )
}
