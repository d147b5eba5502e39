import { Menu, type MenuProps } from '@mantine/core'
import { cloneElement, useEffect, useRef, useState } from 'react'
import type { TargetProps } from './lazy-menu.tsx'

type OpeningMenuProps = TargetProps &
  Pick<MenuProps, 'width' | 'position' | 'closeOnItemClick' | 'withinPortal' | 'children'>

/** A menu that opens when it is mounted: it takes the place of the button that was pressed (`LazyMenu`). */
export function OpeningMenu({ target, children, ...look }: OpeningMenuProps) {
  const [isOpen, open] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The pressed button had the focus, and it returns to this one when the menu closes.
    button.current?.focus()
    open(true)
  }, [])
  return (
    <Menu opened={isOpen} onChange={open} {...look}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      {children}
    </Menu>
  )
}
