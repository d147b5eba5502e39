import { answerOf } from './client.ts'

type FileAnswer = Promise<{ data?: unknown; error?: unknown; response: Response }>

/**
 * Saves the response of the API as a file. Returns false if the file is still being created (202). Throws
 * `MoorageError`.
 */
export async function saveFile(name: string, call: FileAnswer): Promise<boolean> {
  const answer = await call
  const blob = (await answerOf(Promise.resolve(answer))) as unknown
  if (answer.response.status === 202 || !(blob instanceof Blob)) return false
  offerFile(name, blob)
  return true
}

/** Has the browser save a file that is already loaded. */
export function offerFile(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has saved the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
