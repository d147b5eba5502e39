import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { FilesUnusable } from './index.ts'

/** A bucket of an object storage that speaks S3, and our credentials for it. */
export type BucketPlace = {
  /** Protocol, host and port of the storage, without a slash at its end; null: AWS. */
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
  /** The prefix of every key: empty, or a path without slashes at its ends. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** For temporary credentials. */
  readonly sessionToken: string | null
}

export type BucketRequest = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export type BucketAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

/** The storage refused a request, or did not respond. */
export class BucketError extends Error {
  readonly status: number | null
  /** S3's error code, such as `AccessDenied`; null if there is none. */
  readonly code: string | null

  constructor(message: string, { status, code }: Pick<BucketError, 'status' | 'code'>) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Sends one request, repeatedly if there is no response. Throws a `BucketError` above status 299. */
export type Bucket = (request: BucketRequest) => Promise<BucketAnswer>

export type BucketOptions = {
  /** How long one request may take. */
  readonly timeoutMs?: number
  /** How long to wait before the first repetition; doubled before each later one. */
  readonly pauseMs?: number
}

const TIMEOUT_MS = 60_000
const PAUSE_MS = 200
const TRIES = 4

/** The requests to a bucket, signed (AWS signature version 4) with the hash of their content. */
export function bucketAt(
  place: BucketPlace,
  { timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS }: BucketOptions = {},
): Bucket {
  const base = baseOf(place)
  const { region, accessKeyId, secretAccessKey, sessionToken, prefix } = place
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }

  async function send({ method, key, query, headers, body }: BucketRequest): Promise<BucketAnswer> {
    const url = new URL(`${base}/${prefix ? `${prefix}/` : ''}${key}`)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const hash = createHash('sha256').update(body ?? '')
    const signed = await new AwsV4Signer({
      ...{ method, url: url.href, service: 's3', region, ...credentials },
      headers: { ...headers, 'x-amz-content-sha256': hash.digest('hex') },
    }).sign()
    const response = await fetch(signed.url, {
      ...{ method, headers: signed.headers, redirect: 'manual' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: new Uint8Array(body) }),
    })
    return {
      ...{ status: response.status, headers: response.headers },
      body: Buffer.from(await response.arrayBuffer()),
    }
  }

  return async (request) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await send(request).catch(silence)
      const failed = !(answer instanceof Error) && isError(answer, request)
      const again = answer instanceof Error || (failed && isBusy(answer))
      if (again && tries < TRIES) {
        await sleep(pauseMs * 2 ** (tries - 1) * (0.5 + Math.random()))
        continue
      }
      if (answer instanceof Error) throw answer
      if (!failed) return answer
      throw refusalOf(answer)
    }
  }
}

function baseOf({ endpoint, region, bucket }: BucketPlace): string {
  if (endpoint !== null) return `${endpoint}/${bucket}`
  const host = `s3.${region}.amazonaws.com`
  // A certificate covers one label, so a name with dots goes into the path.
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

function silence(error: unknown): BucketError {
  const { name, cause } = error as Error
  const why = name === 'TimeoutError' ? 'it took too long' : (codeOf(cause) ?? 'no connection')
  return new BucketError(`The object storage gave no answer: ${why}.`, { status: null, code: null })
}

function codeOf(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

const BUSY: readonly (string | null)[] = ['InternalError', 'SlowDown']

/** Whether a failed request is worth repeating. */
function isBusy(answer: BucketAnswer): boolean {
  const { status } = answer
  return status === 429 || status >= 500 || BUSY.includes(wordIn(answer, 'Code'))
}

/** Whether a request failed. A write can fail with a 200 and an error in the body. */
function isError({ status, body }: BucketAnswer, { method }: BucketRequest): boolean {
  if (status > 299) return true
  const told = /^(\s|<\?xml[^>]*\?>)*<Error>/
  return method !== 'GET' && told.test(body.subarray(0, 200).toString())
}

function refusalOf(answer: BucketAnswer): BucketError {
  const { status } = answer
  const code = wordIn(answer, 'Code')
  const said = wordIn(answer, 'Message')
  const what = [code ?? `status ${status}`, said].filter(Boolean).join(': ')
  return new BucketError(`The object storage refused: ${what}`, { status, code })
}

const LONGEST_WORD = 500

/** The text of an element that occurs once in a response of S3. */
export function wordIn({ body }: Pick<BucketAnswer, 'body'>, name: string): string | null {
  const text = body.toString('utf8')
  const [, word] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text) ?? []
  return word?.slice(0, LONGEST_WORD) ?? null
}

const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID is not known there',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID',
  AccessDenied:
    'the credentials may not do this: they need s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  AuthorizationHeaderMalformed: 'the region is another one',
  PermanentRedirect: 'the bucket is in another region',
}

/** The error for a bucket that cannot be used, for the person who starts Moorage. */
export function unusable({ bucket, endpoint }: BucketPlace, error: unknown): FilesUnusable {
  // The refusal of a HEAD request has no body, and so no code.
  const refused = error instanceof BucketError && error.status === 403 ? 'AccessDenied' : null
  const code = (error instanceof BucketError && error.code) || refused
  const where = `bucket "${bucket}" at ${endpoint ?? 'AWS'}`
  const why = (code && ADVICE[code]) ?? (error as Error).message.replace(/\.$/, '')
  return new FilesUnusable(`FILES_URL: files cannot be kept in ${where}: ${why}.`)
}
