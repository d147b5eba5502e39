import type { DrawerProps } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTexts } from '../texts/index.tsx'
import { useOnceOpened } from './dialog.tsx'

const Mounted = lazy(async () => ({ default: (await import('./modal.tsx')).MountedDrawer }))

/** A dialog at the side, with a name for the button that closes it. Its script is loaded when it is first opened. */
export function Drawer(props: DrawerProps) {
  const { common } = useTexts()
  if (!useOnceOpened(props.opened)) return null
  return (
    <Suspense>
      <Mounted closeButtonProps={{ 'aria-label': common.close }} {...props} />
    </Suspense>
  )
}
