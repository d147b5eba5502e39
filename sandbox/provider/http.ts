import type { IncomingMessage } from 'node:http'
import { ProviderError } from './errors.ts'

/** What is sent back. Without one, the connection is closed. */
export type Answer = { status: number; headers: Record<string, string>; body: string }

const LARGEST = 1024 * 1024

/** The body of a request as text. Throws a 413 past 1 MiB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > LARGEST) {
      const message = 'The request body is larger than 1 MiB.'
      throw new ProviderError(413, { type: 'invalid_request_error', message })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body, null, 2),
  }
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
