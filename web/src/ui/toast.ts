import { notifications } from '@mantine/notifications'

/** Shows a toast that something was done. */
export function told(title: string, message: string | null = null): void {
  notifications.show({ color: 'brand', title, message })
}

/** Shows a toast that something was refused, with the message of the API. */
export function refused(title: string, message: string): void {
  notifications.show({ color: 'red', title, message, autoClose: 10_000 })
}
