import type { IncomingMessage } from 'node:http'
import { Problem, unavailable } from '#lib/problem.ts'
import { MINUTE_MS } from '#lib/time.ts'
import type { Deps } from '#platform/deps.ts'
import { receiveFile } from '#platform/http/upload.ts'
import { type AttachmentKey, fileKeyOf, HEAD_BYTES, mediaTypeOf, nameFrom } from './rules.ts'

/** Long enough for the largest file that a setting allows over a slow line. */
const TOTAL_MS = 30 * MINUTE_MS

/** The largest size that the file in a request can have: all of the body, or what is allowed. */
export function largestIn({ headers }: IncomingMessage, maxBytes: number): number {
  const length = Number(headers['content-length'])
  return Number.isSafeInteger(length) && length >= 0 ? Math.min(length, maxBytes) : maxBytes
}

/**
 * Stores an uploaded file as it arrives and recognises its type on the way. Throws as `receiveFile`, and 503 if the
 * storage fails. What it leaves in a storage that fails is deleted with the row.
 */
export async function storeUpload(
  { files, log }: Pick<Deps, 'files' | 'log'>,
  request: IncomingMessage,
  { maxBytes, ...key }: AttachmentKey & { maxBytes: number },
) {
  let head = Buffer.alloc(0)
  async function* withHead(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    for await (const piece of content) {
      if (head.length < HEAD_BYTES) {
        head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES - head.length)])
      }
      yield piece
    }
  }
  const { fileName, sizeBytes, sha256 } = await receiveFile(request, {
    ...{ key: fileKeyOf(key), maxBytes, totalMs: TOTAL_MS },
    files: {
      async put(fileKey, content) {
        try {
          return await files.put(fileKey, withHead(Buffer.isBuffer(content) ? [content] : content))
        } catch (error) {
          if (error instanceof Problem) throw error
          log.error({ err: error, fileKey }, 'an attachment cannot be stored')
          throw unavailable('Files cannot be stored at the moment. Try again later.')
        }
      },
      async delete(fileKey) {
        await files.delete(fileKey).catch((err: unknown) => {
          log.warn({ err, fileKey }, 'a refused attachment is deleted later')
        })
      },
    },
  })
  return { name: nameFrom(fileName), mediaType: mediaTypeOf(head), sizeBytes, sha256 }
}
