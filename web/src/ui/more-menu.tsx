import { useTexts } from '../texts/index.tsx'
import { ActionMenu } from './action-menu.tsx'
import { IconAction } from './icon-action.tsx'
import * as I from './icons.ts'
import type { Icon } from './parts.tsx'

type MoreMenuProps<Key extends string> = {
  readonly items: readonly (readonly [key: Key, label: string, icon: Icon, ...rest: unknown[]])[]
  readonly choose: (key: Key) => void
}

/** The menu of further actions; nothing without items. */
export function MoreMenu<Key extends string>({ items, choose }: MoreMenuProps<Key>) {
  const { common } = useTexts()
  if (items.length === 0) return null
  return (
    <ActionMenu
      width={260}
      target={<IconAction label={common.more} icon={I.Dots} variant="default" size={36} />}
      entries={items.map(([key, label, icon]) => ({ key, label, icon, choose: () => choose(key) }))}
    />
  )
}
