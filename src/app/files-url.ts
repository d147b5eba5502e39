import { fileURLToPath } from 'node:url'
import type { FilesPlace } from '#platform/files/place.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where files are stored, or why an address cannot be used, as ends of a sentence. */
export type ReadPlace = { readonly place: FilesPlace } | { readonly faults: readonly string[] }

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/
const REGION = /^[a-z0-9-]{1,40}$/
/** The region for storages other than AWS if none is given. */
const USUAL_REGION = 'us-east-1'

/** Reads `FILES_URL`: `file:///folder`, or `s3://bucket/prefix?endpoint=…&region=…`. */
export function placeIn(address: string, env: Environment): ReadPlace {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol === 's3:') return bucketIn(url, env)
  if (url?.protocol === 'file:') {
    try {
      return { place: { folder: fileURLToPath(url) } }
    } catch {
      // A host or an encoded slash in it: not a folder of this machine.
    }
  }
  const examples = 'file:///srv/moorage or s3://bucket/prefix?region=eu-west-3'
  return { faults: [`FILES_URL: not the address of a folder or a bucket, such as ${examples}`] }
}

function bucketIn(url: URL, env: Environment): ReadPlace {
  const faults: string[] = []
  const text = (name: string) => env[name]?.trim() || null
  const { hostname: bucket, searchParams: query } = url
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  for (const name of query.keys()) {
    if (name !== 'endpoint' && name !== 'region') faults.push(`FILES_URL: "${name}" is not known`)
  }
  if (url.username || url.password || url.port) {
    faults.push('FILES_URL: credentials and ports do not belong into it')
  }
  if (!BUCKET.test(bucket)) faults.push(`FILES_URL: "${bucket}" is not the name of a bucket`)
  if (prefix && (!PREFIX.test(prefix) || prefix.includes('..'))) {
    faults.push('FILES_URL: what follows the bucket may hold letters, digits and . _ - /')
  }
  const named = query.get('endpoint') ?? text('AWS_ENDPOINT_URL_S3') ?? text('AWS_ENDPOINT_URL')
  const endpoint = named && endpointOf(named)
  if (named && !endpoint)
    faults.push('FILES_URL: endpoint is not https:// or http://, host and port')
  const region =
    query.get('region') ??
    text('AWS_REGION') ??
    text('AWS_DEFAULT_REGION') ??
    (endpoint ? USUAL_REGION : '')
  if (!REGION.test(region)) faults.push('FILES_URL: say which region, such as ?region=eu-west-3')
  const accessKeyId = text('AWS_ACCESS_KEY_ID')
  const secretAccessKey = text('AWS_SECRET_ACCESS_KEY')
  if (!accessKeyId || !secretAccessKey) {
    faults.push('FILES_URL: a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
    return { faults }
  }
  if (faults.length > 0) return { faults }
  const sessionToken = text('AWS_SESSION_TOKEN')
  const credentials = { accessKeyId, secretAccessKey, sessionToken }
  return { place: { bucket: { endpoint, region, bucket, prefix, ...credentials } } }
}

function endpointOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return url.href === `${url.origin}/` ? url.origin : null
}
