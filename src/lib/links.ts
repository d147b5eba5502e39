import { unprocessable } from './problem.ts'

/** Characters that look like a dot in a host name, and that browsers treat as one. */
const DOTS = /[。．｡․]/gu
/** A web or mail address, or a host name: what mail clients turn into a link. */
const LINK = /\w:\/\/|\bmailto:|\bwww\.|[\p{L}\p{N}]\.(?:xn--|\p{L}{2})/iu

/** Whether a mail client would show a text, or part of it, as a link. */
export function hasLink(text: string): boolean {
  return LINK.test(
    text
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .replace(DOTS, '.'),
  )
}

/** Throws 422 for a name that is sent to others and contains an address. `path` is its field. */
export function assertNoLink(path: string, text: string | null | undefined): void {
  if (text == null || !hasLink(text)) return
  const message = 'must not contain a web address, an e-mail address or a domain name'
  throw unprocessable(`${path} ${message}.`, 'link_not_allowed', [{ path, message }])
}

/** A text in which mail clients find no link: for names that were stored before they were checked. */
export function withoutLinks(text: string): string {
  if (!hasLink(text)) return text
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[.。．｡․:/@]+/gu, ' ')
    .trim()
}
