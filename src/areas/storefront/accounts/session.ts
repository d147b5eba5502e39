import type { Deps } from '#platform/deps.ts'
import { writeCookie } from '#platform/pages/cookies.ts'
import { moveSelection } from '../cart/cart.ts'
import { EMPTY } from '../selection.ts'
import { type Exchange, storeSelection, type Visit, visitorTokenIn } from '../visit.ts'
import { type Awaited, sealAwaited } from './awaited.ts'

/** What the API returns for a sign-in. */
export type SignedIn = { accessToken: string; refreshToken: string; user: { id: string } }
export type SignInAnswer = SignedIn | { mfaRequired: true; mfaToken: string; methods: string[] }

/** The default page of customers after signing in. */
export const HOME = '/home'

/**
 * Opens an account and signs the browser in; this also decides which affiliate referred the visitor.
 * Null if the address has to be confirmed first: `awaited` is what continues after that.
 */
export async function register(
  deps: Deps,
  visit: Visit,
  { request, reply }: Exchange,
  person: Readonly<Record<string, unknown>>,
  awaited: Pick<Awaited, 'next' | 'draft'>,
): Promise<SignedIn | null> {
  const visitorToken = visitorTokenIn(request)
  const { locale } = visit.look
  const state = sealAwaited(deps.secrets, request.tenantId, visit, awaited)
  const body = {
    ...{ ...person, locale },
    ...(visitorToken !== null && { visitorToken }),
    ...(state !== null && { state }),
  }
  type Answer = SignedIn | { accepted: true }
  const answer = await visit.call<Answer>('POST', '/v1/auth/register', { body })
  if (visitorToken !== null) writeCookie(request, reply, 'visitor', '')
  if ('accepted' in answer) return null
  await begin(deps, visit, { request, reply }, answer)
  return answer
}

/** Signs a browser in: what its visitor selected moves into the account's cart. */
export async function begin(
  deps: Deps,
  visit: Visit,
  { request, reply }: Exchange,
  { accessToken, refreshToken }: SignedIn,
): Promise<void> {
  writeCookie(request, reply, 'session', refreshToken)
  await moveSelection(visit, accessToken)
  storeSelection(deps, { request, reply }, EMPTY)
}

/** The default page after signing in: the administration for staff. */
export async function startOf(visit: Visit, signedIn?: SignedIn): Promise<string> {
  const { permissions } = await visit.call<{ permissions: string[] }>('GET', '/v1/users/me', {
    ...(signedIn && { token: signedIn.accessToken }),
  })
  return permissions.length > 0 ? '/admin' : HOME
}
