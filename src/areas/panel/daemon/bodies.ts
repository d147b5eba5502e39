import { badRequest } from '#lib/problem.ts'
import { tooLarge } from './problems.ts'

/** More than a hundred entries of activity, which is the most that daemons send at once. */
const LARGEST_BYTES = 5 * 1024 * 1024
/** What is read along of a body that passes through. */
const LARGEST_COPY = 1024 * 1024

/** Reads a stream; null, and what is left of it is not read, where it is longer than that. */
export async function bytesWithin(
  body: AsyncIterable<Buffer>,
  limit: number,
): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a body as JSON, whatever value it is; an empty one is null. Throws 400 and 413. */
export async function readBody(body: AsyncIterable<Buffer> | null): Promise<unknown> {
  const bytes = body ? await bytesWithin(body, LARGEST_BYTES) : Buffer.alloc(0)
  if (bytes === null) throw tooLarge()
  const text = bytes.toString('utf8')
  if (text.trim() === '') return null
  const value = parsed(text)
  if (value === undefined) throw badRequest('The body is not valid JSON.')
  return value
}

/** The first bytes of a body that passes through; the rest of a larger one is not looked at. */
export class Copy {
  #chunks: Buffer[] = []
  #size = 0
  #whole = true

  async *along(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of body) {
      this.#size += chunk.length
      if (this.#size > LARGEST_COPY) {
        this.#whole = false
        this.#chunks = []
      }
      if (this.#whole) this.#chunks.push(chunk)
      yield chunk
    }
  }

  /** The value; undefined when there was too much of it, or it is no JSON. */
  get value(): unknown {
    return this.#whole ? parsed(Buffer.concat(this.#chunks).toString('utf8')) : undefined
  }
}

/** The value of a JSON text; undefined for what is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
