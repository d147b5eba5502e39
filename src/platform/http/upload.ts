import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { badRequest, Problem } from '#lib/problem.ts'
import type { Files, StoredFile } from '../files/index.ts'
import { tooSlow } from './body.ts'

/** An uploaded file with the other fields of its form. */
export type Received = StoredFile & {
  /** As the client sent it: any text, of any length. */
  readonly fileName: string
  readonly fields: ReadonlyMap<string, string>
}

/** The longest time without data from the client while more is expected. */
const IDLE_MS = 30_000

const LIMITS = { files: 1, fields: 10, parts: 12, fieldNameSize: 100, fieldSize: 200 }

type Storing = {
  readonly files: Pick<Files, 'put' | 'delete'>
  readonly key: string
  readonly maxBytes: number
  readonly idleMs?: number
  /** The longest time for the whole form; without it, a form may take as long as it keeps arriving. */
  readonly totalMs?: number
}

/**
 * Stores the file of a form as it arrives, a piece at a time. Throws 415 if it is not a form, 400 for
 * a malformed form or one without a file, 408 for one that arrives too slowly, 413 for a file that is too large, and
 * the error of a storage that fails; nothing is stored then.
 */
export async function receiveFile(
  request: IncomingMessage,
  { files, key, maxBytes, idleMs = IDLE_MS, totalMs }: Storing,
): Promise<Received> {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Problem(415, 'Send the file in a form: multipart/form-data.')
  }
  const form = formOf(request, maxBytes)
  const fields = new Map<string, string>()
  const failure = Promise.withResolvers<never>()
  let incoming: { stream: Readable; name: string; stored: Promise<StoredFile> } | null = null
  form.on('field', (field, value) => fields.set(field, value))
  form.on('file', (field, stream, name) => {
    if (field !== 'file' || incoming) {
      stream.resume()
      return
    }
    // A storage that fails at once does not read the stream, which then ends with an error that nothing else hears.
    stream.on('error', () => {})
    const stored = files.put(key, piecesOf(stream))
    // Awaited below, once the whole form was read. A storage that fails ends the upload at once.
    stored.catch(failure.reject)
    incoming = { stream, name: name ?? '', stored }
  })
  const received = () =>
    incoming as { stream: Readable; name: string; stored: Promise<StoredFile> } | null
  try {
    await read(request, form, { idleMs, totalMs, failure: failure.promise })
    const file = received()
    if (!file) throw badRequest('The form has no file.')
    return { ...(await file.stored), fileName: file.name, fields }
  } catch (error) {
    request.unpipe(form)
    form.destroy()
    received()?.stream.destroy(error as Error)
    await received()?.stored.catch(() => {})
    await files.delete(key)
    throw error
  }
}

type Reading = {
  readonly idleMs: number
  readonly totalMs: number | undefined
  readonly failure: Promise<never>
}

/**
 * Reads a form to its end. Rejects if it is malformed, breaks off, no data arrives for `idleMs`, or with `failure`. The
 * time during which the file is stored more slowly than it arrives does not count as idle.
 */
async function read(
  request: IncomingMessage,
  form: BusboyInstance,
  { idleMs, totalMs, failure }: Reading,
) {
  let idle: NodeJS.Timeout | undefined
  let total: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      const wait = () => {
        clearTimeout(idle)
        idle = setTimeout(() => reject(tooSlow()), idleMs).unref()
      }
      wait()
      if (totalMs !== undefined) total = setTimeout(() => reject(tooSlow()), totalMs).unref()
      failure.catch(reject)
      form.on('finish', resolve).on('error', () => reject(badRequest('The form is malformed.')))
      request
        .on('error', reject)
        .on('aborted', () => reject(badRequest('The upload ended before the file was complete.')))
      request.on('data', wait).on('pause', () => clearTimeout(idle))
      form.on('drain', wait)
      request.pipe(form)
    })
  } finally {
    clearTimeout(idle)
    clearTimeout(total)
  }
}

function formOf(request: IncomingMessage, maxBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { ...LIMITS, fileSize: maxBytes },
    })
  } catch {
    throw badRequest('The form is malformed.')
  }
}

async function* piecesOf(stream: Readable & { truncated?: boolean }): AsyncGenerator<Buffer> {
  for await (const piece of stream) yield piece as Buffer
  if (stream.truncated) throw new Problem(413, 'The file is too large.')
}
