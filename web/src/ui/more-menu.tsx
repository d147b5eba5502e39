import { useTexts } from '../texts/index.tsx'
import { IconAction } from './icon-action.tsx'
import * as I from './icons.ts'
import { Menu } from './kit.ts'
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
    <Menu width={260}>
      <Menu.Target>
        <IconAction label={common.more} icon={I.Dots} variant="default" size={36} />
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(([key, label, Art]) => (
          <Menu.Item
            key={key}
            leftSection={<Art size={16} aria-hidden />}
            onClick={() => choose(key)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
