/** Suffixes that compressing proxies append to a tag: Caddy and Apache with one hyphen, others with two. */
const ENCODING = /--?(?:gzip|br|zstd|deflate)(?="|$)/g

/**
 * Whether `If-Match` or `If-None-Match` contains this tag. A compressing proxy makes the tag of a response weak (nginx)
 * or appends the encoding (Caddy, Apache), and clients send it back like that.
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
