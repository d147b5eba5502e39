import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
/** Pages are compressed while a visitor waits, so with medium effort. */
const EFFORT = 5

/** The best encoding that a browser accepts (`Accept-Encoding`); null for none. */
export function encodingFor(header: string | undefined): Encoding | null {
  const accepted = new Set(
    (header ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]),
  )
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null
}

/** A page's bytes in an encoding. */
export function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipped(content, { level: EFFORT })
  return brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: EFFORT } })
}
