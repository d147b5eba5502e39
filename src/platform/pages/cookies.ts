import type { FastifyReply, FastifyRequest } from 'fastify'

/** The cookies of the pages. On plain http, as on a developer's machine, browsers refuse the `__Host-` prefix. */
type CookieName = 'session' | 'selection' | 'locale' | 'country' | 'visitor' | 'setup' | 'draft'

const NAMES: Readonly<Record<CookieName, string>> = {
  session: 'moorage',
  selection: 'moorage-cart',
  locale: 'moorage-lang',
  country: 'moorage-country',
  visitor: 'moorage-visitor',
  setup: 'moorage-setup',
  draft: 'moorage-draft',
}
const DAY_SECONDS = 24 * 3600
const SECONDS: Readonly<Record<CookieName, number>> = {
  session: 180 * DAY_SECONDS,
  selection: 30 * DAY_SECONDS,
  locale: 365 * DAY_SECONDS,
  country: 365 * DAY_SECONDS,
  visitor: 365 * DAY_SECONDS,
  setup: 3600,
  draft: 1800,
}
const MAX_LENGTH = 4096

/** A cookie that the browser sent; null if there is none. */
export function readCookie(request: FastifyRequest, name: CookieName): string | null {
  const header = request.headers.cookie
  if (header === undefined) return null
  const prefix = `${fullName(request, name)}=`
  const part = header.split(/;\s*/).find((it) => it.startsWith(prefix))
  const value = part?.slice(prefix.length) ?? ''
  return value === '' || value.length > MAX_LENGTH ? null : decoded(value)
}

/** Sets a cookie that scripts cannot read, for the usual time of its kind; an empty value removes it. */
export function writeCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: CookieName,
  value: string,
  seconds = SECONDS[name],
): void {
  const age = value === '' ? 0 : seconds
  const secure = isSecure(request) ? '; Secure' : ''
  const text = `${fullName(request, name)}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`
  // Appended to the cookies that are set already.
  reply.header('set-cookie', text)
}

function fullName(request: FastifyRequest, name: CookieName): string {
  return isSecure(request) ? `__Host-${NAMES[name]}` : NAMES[name]
}

function isSecure({ protocol }: FastifyRequest): boolean {
  return protocol === 'https'
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
