import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  type Bucket,
  BucketError,
  type BucketOptions,
  type BucketPlace,
  bucketAt,
  unusable,
  wordIn,
} from './bucket.ts'
import { assertKey, type Files, type StoredFile } from './index.ts'

/** How much of a file is in memory at once. S3 requires parts of 5 MiB at least, and R2 parts of one size. */
const PART_BYTES = 8 * 1024 * 1024

/**
 * Files in an object storage that speaks S3. A short file is one request; a long one is uploaded in parts of 8 MiB, and
 * exists once they are put together. Each request contains the hash of its bytes, which the storage checks. Downloads
 * are in parts as well, so that a slow reader keeps no connection open.
 */
export function filesInBucket(place: BucketPlace, options: BucketOptions = {}): Files {
  const bucket = bucketAt(place, options)
  return {
    async put(key, content) {
      assertKey(key)
      return store(bucket, key, content)
    },
    async get(key) {
      assertKey(key)
      const first = await missingAsNull(readPart(bucket, key, { from: 0 }))
      return first && Readable.from(pieces(bucket, key, first), { objectMode: false })
    },
    async exists(key) {
      assertKey(key)
      return (await missingAsNull(bucket({ method: 'HEAD', key }))) !== null
    },
    async delete(key) {
      assertKey(key)
      await missingAsNull(bucket({ method: 'DELETE', key }))
    },
    async check() {
      await check(bucket).catch((error) => {
        throw unusable(place, error)
      })
    },
  }
}

/** Null if there is nothing under a key; a missing bucket is a failure. */
async function missingAsNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    const isMissing = error instanceof BucketError && error.status === 404
    if (isMissing && error.code !== 'NoSuchBucket') return null
    throw error
  }
}

async function store(
  bucket: Bucket,
  key: string,
  content: Buffer | AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let upload: Upload | null = null
  try {
    for await (const { part, isLast } of partsOf(content)) {
      hash.update(part)
      sizeBytes += part.length
      if (isLast && upload === null) await bucket({ method: 'PUT', key, body: part })
      else {
        upload ??= await begin(bucket, key)
        await addPart(bucket, upload, part)
      }
    }
    if (upload) await complete(bucket, upload)
    return { sizeBytes, sha256: hash.digest() }
  } catch (error) {
    // Discards the uploaded parts; if this fails, the storage removes them itself later.
    if (upload) await abort(bucket, upload).catch(() => {})
    throw error
  }
}

type Part = { readonly part: Buffer; readonly isLast: boolean }

/** Content in parts of one size, of which the last may be shorter; at least one. */
async function* partsOf(content: Buffer | AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const piece of Buffer.isBuffer(content) ? [content] : content) {
    for (let from = 0; from < piece.length; ) {
      // A full part is passed on once it is known that it is not the last.
      if (heldBytes === PART_BYTES) {
        yield { part: Buffer.concat(held), isLast: false }
        held = []
        heldBytes = 0
      }
      const taken = piece.subarray(from, from + PART_BYTES - heldBytes)
      held.push(Buffer.from(taken.buffer, taken.byteOffset, taken.byteLength))
      heldBytes += taken.length
      from += taken.length
    }
  }
  yield { part: Buffer.concat(held), isLast: true }
}

type Upload = { readonly key: string; readonly uploadId: string; readonly tags: string[] }

async function begin(bucket: Bucket, key: string): Promise<Upload> {
  const answer = await bucket({ method: 'POST', key, query: { uploads: '' } })
  const uploadId = wordIn(answer, 'UploadId')
  if (!uploadId)
    throw new BucketError('The object storage began no upload.', { ...answer, code: null })
  return { key, uploadId, tags: [] }
}

async function addPart(bucket: Bucket, { key, uploadId, tags }: Upload, body: Buffer) {
  const query = { partNumber: String(tags.length + 1), uploadId }
  const { headers, status } = await bucket({ method: 'PUT', key, query, body })
  const tag = headers.get('etag')
  if (!tag) throw new BucketError('The object storage kept no part.', { status, code: null })
  tags.push(tag)
}

async function complete(bucket: Bucket, { key, uploadId, tags }: Upload): Promise<void> {
  const parts = tags.map(
    (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
  )
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  try {
    await bucket({ method: 'POST', key, query: { uploadId }, body: Buffer.from(body) })
  } catch (error) {
    // An earlier request whose response was lost may have completed it: then the file exists.
    const isDone = error instanceof BucketError && error.code === 'NoSuchUpload'
    if (!isDone || (await missingAsNull(bucket({ method: 'HEAD', key }))) === null) throw error
  }
}

async function abort(bucket: Bucket, { key, uploadId }: Upload): Promise<void> {
  await bucket({ method: 'DELETE', key, query: { uploadId } })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

type Read = { readonly body: Buffer; readonly totalBytes: number; readonly tag: string | null }

async function readPart(
  bucket: Bucket,
  key: string,
  { from, tag }: { from: number; tag?: string | null },
): Promise<Read> {
  const range = `bytes=${from}-${from + PART_BYTES - 1}`
  try {
    const { body, headers } = await bucket({
      ...{ method: 'GET', key },
      headers: { range, ...(tag && { 'if-match': tag }) },
    })
    const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
    return { body, totalBytes: Number(total ?? body.length), tag: headers.get('etag') }
  } catch (error) {
    // An empty file has no first byte, so its range is refused.
    const isEmpty = error instanceof BucketError && error.status === 416 && from === 0
    if (!isEmpty) throw error
    return { body: Buffer.alloc(0), totalBytes: 0, tag: null }
  }
}

/** A file from its first part on: all parts are of the same content, or it fails. */
async function* pieces(bucket: Bucket, key: string, first: Read): AsyncGenerator<Buffer> {
  if (first.body.length > 0) yield first.body
  for (let from = first.body.length; from < first.totalBytes; ) {
    const { body } = await readPart(bucket, key, { from, tag: first.tag })
    if (body.length === 0)
      throw new BucketError('The file ends early.', { status: 200, code: null })
    from += body.length
    yield body
  }
}

/** Stores, reads and deletes a small file, and checks that it is gone. */
async function check(bucket: Bucket): Promise<void> {
  const key = `check-${randomUUID()}`
  const body = Buffer.from(key)
  await bucket({ method: 'PUT', key, body })
  const { body: read } = await readPart(bucket, key, { from: 0 })
  if (!read.equals(body)) throw new Error('what was stored is read back as something else')
  await bucket({ method: 'DELETE', key })
  if ((await missingAsNull(bucket({ method: 'HEAD', key }))) !== null) {
    throw new Error('what was deleted is still there')
  }
}
