import { Menu } from '@mantine/core'
import type { EntriesMenuProps } from './action-menu.tsx'
import * as I from './icons.ts'
import type { TargetProps } from './lazy-menu.tsx'
import { OpeningMenu } from './opening-menu.tsx'

/** The open menu of an `ActionMenu`: loaded when it is needed. */
export function EntriesMenu(props: EntriesMenuProps & TargetProps) {
  const { entries, isChecklist = false, ...look } = props
  return (
    <OpeningMenu {...look} closeOnItemClick={!isChecklist}>
      <Menu.Dropdown>
        {entries.map(({ key, label, icon: Art, isOn = false, choose }) => (
          <Menu.Item
            key={key}
            {...(isChecklist && { role: 'menuitemcheckbox', 'aria-checked': isOn })}
            leftSection={Art ? <Art size={16} aria-hidden /> : null}
            rightSection={isOn ? <I.Check size={15} aria-hidden /> : null}
            onClick={choose}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </OpeningMenu>
  )
}
