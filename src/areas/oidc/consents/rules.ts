import type { Instant } from '#lib/time.ts'

type ConsentRow = {
  id: string
  name: string
  scopes: string[]
  grantedAt: Instant
  expiresAt: Instant
}

/** A consent as its person sees it. */
export function consentView({ id, ...consent }: ConsentRow) {
  return { clientId: id, ...consent }
}
