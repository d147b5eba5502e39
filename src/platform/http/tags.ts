/** What proxies that compress append to a tag: Caddy and Apache one hyphen, others two. */
const ENCODING = /--?(?:gzip|br|zstd|deflate)(?="|$)/g

/**
 * Whether `If-Match` or `If-None-Match` names this tag. A proxy that compresses an answer makes its tag weak (nginx) or
 * appends the encoding (Caddy, Apache), and clients send it back like that.
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header?.trim() === '*') return true
  const [wanted] = opaqueTags(tag)
  return opaqueTags(header ?? '').some((it) => it === wanted || withoutEncodings(it) === wanted)
}

/** The tags of a header without the encodings that proxies append. */
export function withoutEncodings(header: string): string {
  return header.replace(ENCODING, '')
}

function opaqueTags(header: string): string[] {
  return [...header.matchAll(/"([^"]*)"/g)].map(([, opaque = '']) => opaque)
}
