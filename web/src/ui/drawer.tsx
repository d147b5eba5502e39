import { type DrawerProps, Drawer as Plain } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'

/** A dialog at the side, with a name for the button that closes it. */
export function Drawer(props: DrawerProps) {
  const { common } = useTexts()
  return <Plain closeButtonProps={{ 'aria-label': common.close }} {...props} />
}
