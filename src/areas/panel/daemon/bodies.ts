import { badRequest } from '#lib/problem.ts'
import { tooLarge } from './problems.ts'

/** More than a hundred entries of activity, the most that daemons send at once. */
const LARGEST_BYTES = 5 * 1024 * 1024
/** The most that is copied from a body that is passed through. */
const LARGEST_COPY = 1024 * 1024

/** Reads a stream up to a size; null if it is longer, and then the rest is not read. */
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

/** Reads a body as JSON, of any value; an empty one is null. Throws 400 and 413. */
export async function readBody(body: AsyncIterable<Buffer> | null): Promise<unknown> {
  const bytes = body ? await bytesWithin(body, LARGEST_BYTES) : Buffer.alloc(0)
  if (bytes === null) throw tooLarge()
  const text = bytes.toString('utf8')
  if (text.trim() === '') return null
  const value = parsed(text)
  if (value === undefined) throw badRequest('The body is not valid JSON.')
  return value
}

/** A copy of a body that is passed through; of a larger one only the first bytes are copied. */
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

  /** The parsed value; undefined if the body was too large or is not JSON. */
  get value(): unknown {
    return this.#whole ? parsed(Buffer.concat(this.#chunks).toString('utf8')) : undefined
  }
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
