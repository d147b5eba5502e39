import { Notifications } from '@mantine/notifications'

/** Where toasts appear; loaded with the first one. */
export function Toasts() {
  return <Notifications position="bottom-center" limit={3} autoClose={6000} />
}
