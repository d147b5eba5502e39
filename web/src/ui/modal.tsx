import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/** A dialog of the kit. It opens after it is mounted, so that it records where the focus has to return to. */
export function MountedModal({ opened, ...props }: ModalProps) {
  return <Modal {...props} opened={useMounted() && opened} />
}

/** Likewise for a drawer at the side. */
export function MountedDrawer({ opened, ...props }: DrawerProps) {
  return <Drawer {...props} opened={useMounted() && opened} />
}

function useMounted(): boolean {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return isMounted
}
