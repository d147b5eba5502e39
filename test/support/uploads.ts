import assert from 'node:assert/strict'
import type { Answer, Client } from './client.ts'
import { formWith } from './dumps.ts'

/** Sends a file as a browser does, for a message on a ticket. */
export function upload(
  client: Client,
  content: Buffer | string,
  name = 'log.txt',
): Promise<Answer> {
  const form = formWith(Buffer.from(content), {}, name)
  return client.post('/v1/tickets/attachments', undefined, form)
}

/** The id of a file that was uploaded. */
export async function uploaded(
  client: Client,
  content: Buffer | string = 'It lags.',
  name = 'log.txt',
): Promise<string> {
  const { status, body, text } = await upload(client, content, name)
  assert.equal(status, 201, text)
  return body.id
}

/** What a link answers to a browser, which sends no credential. */
export async function fileOf(app: { url: string }, link: string, query = '') {
  const response = await fetch(`${app.url}${new URL(link).pathname}${query}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}
