import { notifications } from '@mantine/notifications'

/** Says in a corner that something was done. */
export function told(title: string, message: string | null = null): void {
  notifications.show({ color: 'brand', title, message })
}

/** Says in a corner that something was refused, in the words of the API. */
export function refused(title: string, message: string): void {
  notifications.show({ color: 'red', title, message, autoClose: 10_000 })
}
