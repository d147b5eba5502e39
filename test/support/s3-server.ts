import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { BucketPlace } from '#platform/files/bucket.ts'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'

const SMALLEST_PART = 5 * 1024 * 1024

/** What a stored object is, or a request that was answered. */
type Stored = { body: Buffer; tag: string }
type Seen = { readonly method: string; readonly target: string; readonly bytes: number }
type Upload = { key: string; parts: Map<number, Stored> }

/** What goes wrong with the next requests that fit. */
export type StorageFault = {
  readonly method: string
  readonly target: RegExp
  /** `lost`: it is done, and the answer does not arrive. `told`: refused in the body of a 200. */
  readonly kind: 'busy' | 'lost' | 'told' | 'damaged'
  times: number
}

/** An object storage in memory that checks signatures as S3 does, and has knobs for tests. */
export type Storage = {
  readonly place: BucketPlace
  readonly objects: ReadonlyMap<string, Stored>
  /** Uploads that were begun and not ended. */
  readonly uploads: ReadonlyMap<string, Upload>
  readonly seen: readonly Seen[]
  fault(fault: StorageFault): void
  /** Answers wait until this is done. */
  hold(until: Promise<void> | null): void
}

class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

type Answer = { status: number; headers?: Record<string, string>; body?: Buffer | string }

/** Starts a storage with one bucket on a port of this machine. */
export async function startStorage({ prefix = 'shop' } = {}): Promise<Storage> {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Upload>()
  const seen: Seen[] = []
  const faults: StorageFault[] = []
  let held: Promise<void> | null = null
  let uploadCount = 0

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void handle(request)
      .then(async (answer) => {
        await held
        if (answer === null) {
          request.socket.destroy()
          return
        }
        const { status, headers = {}, body = '' } = answer
        response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
        response.end(request.method === 'HEAD' ? undefined : body)
      })
      .catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage): Promise<Answer | null> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = 'GET', url: target = '/' } = request
    seen.push({ method, target, bytes: body.length })
    const fault = faults.find(
      (it) => it.times > 0 && it.method === method && it.target.test(target),
    )
    if (fault) fault.times -= 1
    if (fault?.kind === 'busy') return problem(503, 'SlowDown')
    if (fault?.kind === 'told') return problem(200, 'InternalError')
    try {
      const sent = fault?.kind === 'damaged' ? Buffer.concat([body, Buffer.from('!')]) : body
      assertSigned(request, target, sent)
      const answer = answerOf(method, new URL(target, 'http://x'), request.headers, body)
      return fault?.kind === 'lost' ? null : answer
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return problem(error.status, error.code)
    }
  }

  function answerOf(
    method: string,
    { pathname, searchParams: query }: URL,
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): Answer {
    const [, bucket, ...rest] = pathname.split('/')
    if (bucket !== place.bucket) throw new Refused(404, 'NoSuchBucket')
    const key = rest.join('/')
    const uploadId = query.get('uploadId')
    if (method === 'POST' && query.has('uploads')) return begin(key)
    if (uploadId !== null) return ofUpload(method, { key, uploadId, query, body })
    if (method === 'PUT') {
      const stored = keep(body)
      objects.set(key, stored)
      return { status: 200, headers: { etag: stored.tag } }
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return { status: 204 }
    }
    const stored = objects.get(key)
    if (!stored) throw new Refused(404, 'NoSuchKey')
    return method === 'HEAD'
      ? { status: 200, headers: { etag: stored.tag } }
      : read(stored, headers)
  }

  function begin(key: string): Answer {
    uploadCount += 1
    const uploadId = `upload-${uploadCount}`
    uploads.set(uploadId, { key, parts: new Map() })
    const body = `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`
    return { status: 200, body }
  }

  function ofUpload(
    method: string,
    {
      key,
      uploadId,
      query,
      body,
    }: { key: string; uploadId: string; query: URLSearchParams; body: Buffer },
  ): Answer {
    const upload = uploads.get(uploadId)
    if (upload?.key !== key) throw new Refused(404, 'NoSuchUpload')
    if (method === 'PUT') {
      const part = keep(body)
      upload.parts.set(Number(query.get('partNumber')), part)
      return { status: 200, headers: { etag: part.tag } }
    }
    if (method === 'DELETE') {
      uploads.delete(uploadId)
      return { status: 204 }
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)</g)]
    const parts = named.map(([, number, tag = '']) => {
      const part = upload.parts.get(Number(number))
      if (part?.tag !== tag.replaceAll('&quot;', '"')) throw new Refused(400, 'InvalidPart')
      return part.body
    })
    // As R2 has it: all of one size but the last, and none too small.
    const [first] = parts
    const whole = parts.slice(0, -1)
    if (!first || whole.some(({ length }) => length !== first.length || length < SMALLEST_PART)) {
      throw new Refused(400, 'EntityTooSmall')
    }
    objects.set(key, keep(Buffer.concat(parts)))
    uploads.delete(uploadId)
    return { status: 200, body: '<CompleteMultipartUploadResult/>' }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const place: BucketPlace = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ region: 'eu-west-3', bucket: 'files', prefix },
    ...{ accessKeyId: 'AKIATEST', secretAccessKey: 'secret/of+the/test', sessionToken: null },
  }

  /** Refuses what is not signed by signature version 4, reckoned here once more. */
  function assertSigned(
    { method = 'GET', headers }: IncomingMessage,
    target: string,
    body: Buffer,
  ) {
    const parts =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      )
    if (!parts) throw new Refused(403, 'AccessDenied')
    const [, keyId, day = '', region = '', names = '', signature = ''] = parts
    if (keyId !== place.accessKeyId) throw new Refused(403, 'InvalidAccessKeyId')
    if (region !== place.region) throw new Refused(400, 'AuthorizationHeaderMalformed')
    const time = String(headers['x-amz-date'])
    if (!time.startsWith(day)) throw new Refused(403, 'SignatureDoesNotMatch')
    const said = String(headers['x-amz-content-sha256'])
    if (said !== sha256(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch')
    for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date']) {
      if (!names.split(';').includes(needed)) throw new Refused(403, 'AccessDenied')
    }
    const { pathname, searchParams } = new URL(target, 'http://x')
    const query = [...searchParams]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .sort()
    const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
    const request = [method, pathname, query.join('&'), lines.join(''), names, said].join('\n')
    const scope = `${day}/${region}/s3/aws4_request`
    const text = ['AWS4-HMAC-SHA256', time, scope, sha256(Buffer.from(request))].join('\n')
    const key = [day, region, 's3', 'aws4_request'].reduce(
      (secret: Buffer, word) => hmac(secret, word),
      Buffer.from(`AWS4${place.secretAccessKey}`),
    )
    const wanted = hmac(key, text)
    if (!timingSafeEqual(wanted, Buffer.from(signature, 'hex'))) {
      throw new Refused(403, 'SignatureDoesNotMatch')
    }
  }

  return {
    ...{ place, objects, uploads, seen },
    fault: (fault) => void faults.push(fault),
    hold(until) {
      held = until
    },
  }
}

function read({ body, tag }: Stored, headers: IncomingHttpHeaders): Answer {
  const wanted = headers['if-match']
  if (wanted !== undefined && wanted !== tag) throw new Refused(412, 'PreconditionFailed')
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (from === undefined) return { status: 200, headers: { etag: tag }, body }
  if (Number(from) >= body.length) throw new Refused(416, 'InvalidRange')
  const part = body.subarray(Number(from), Number(to) + 1)
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`
  return { status: 206, headers: { etag: tag, 'content-range': range }, body: part }
}

function keep(body: Buffer): Stored {
  return { body, tag: `"${createHash('md5').update(body).digest('hex')}"` }
}

function problem(status: number, code: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Refused</Message></Error>`
  return { status, headers: { 'content-type': 'application/xml' }, body }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
